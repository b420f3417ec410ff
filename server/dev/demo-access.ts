import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ALL_SCOPES, authenticateKey, createKey } from "../../app/access/index.server.ts";
import { transaction } from "../../app/platform/transaction.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { StartError } from "../fail.ts";
import { writeJsonAtomically } from "../postgres/data-folder.ts";

export interface DemoAccess {
  apiKey: string;
  apiSecret: string;
}

/** The content of demo.json, with which scripts call the demo. */
export interface DemoFile extends DemoAccess {
  apiUrl: string;
  /** the app in the shop's admin */
  adminUrl: string;
  storefrontUrl: string;
  /** the shop's domain */
  shop: string;
  /** the customers who can log in at the storefront; its login page lists the same */
  logins: readonly { customerId: string; name: string; email: string }[];
  customers: readonly string[];
  products: readonly { productId: string; variantIds: readonly string[] }[];
}

const accessSchema = z.object({ apiKey: z.string(), apiSecret: z.string() });
const FILE = "demo.json";

/** Returns the key that earlier runs printed if it still works, otherwise a new one. */
export async function demoAccess(dataDir: string, domain: string): Promise<DemoAccess> {
  const saved = accessSchema.safeParse(await readJson(path.join(dataDir, FILE)));
  if (saved.success) {
    const { apiKey, apiSecret } = saved.data;
    const state = await authenticateKey({ keyId: apiKey, secret: apiSecret });
    if (!(state instanceof Failure) && state.shop === domain) return { apiKey, apiSecret };
  }
  const shop = await findShop(domain);
  if (!shop) throw new Error(`the database does not have the shop ${domain}`);
  const key = await transaction(shop.id, (tx) => createKey(tx, { shopId: shop.id, name: "Demo", scopes: ALL_SCOPES }));
  if (key instanceof Failure) throw new StartError(`Cannot create a key for ${domain}: ${key.message}`);
  return { apiKey: key.keyId, apiSecret: key.secret };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    // If the file is absent or damaged, a new key is created.
    return undefined;
  }
}

/**
 * Writes `<dataDir>/demo.json`, readable by its owner only, because it contains a secret.
 * @returns the file's path
 */
export async function writeDemoFile(dataDir: string, content: DemoFile): Promise<string> {
  await writeJsonAtomically(dataDir, FILE, content);
  return path.join(dataDir, FILE);
}
