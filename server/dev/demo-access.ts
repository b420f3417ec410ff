import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ALL_SCOPES, authenticateKey, createKey } from "../../app/access/index.server.ts";
import { transaction } from "../../app/platform/transaction.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { StartError } from "../fail.ts";
import { writeWhole } from "../postgres/data-folder.ts";

export interface DemoAccess {
  apiKey: string;
  apiSecret: string;
}

/** What a script needs to call the demo. */
export interface DemoFile extends DemoAccess {
  apiUrl: string;
  /** the app in the store's admin */
  adminUrl: string;
  storefrontUrl: string;
  /** the shop's domain */
  shop: string;
  /** who can log in at the storefront; the store's login page lists the same */
  logins: readonly { customerId: string; name: string; email: string }[];
  customers: readonly string[];
  products: readonly { productId: string; variantIds: readonly string[] }[];
}

const accessSchema = z.object({ apiKey: z.string(), apiSecret: z.string() });
const FILE = "demo.json";

/** The key that earlier runs printed, as long as it works; otherwise a new one. */
export async function demoAccess(dataDir: string, domain: string): Promise<DemoAccess> {
  const known = accessSchema.safeParse(await readJson(path.join(dataDir, FILE)));
  if (known.success) {
    const { apiKey, apiSecret } = known.data;
    const state = await authenticateKey({ keyId: apiKey, secret: apiSecret });
    if (!(state instanceof Failure) && state.shop === domain) return { apiKey, apiSecret };
  }
  const shop = await findShop(domain);
  if (!shop) throw new Error(`the shop ${domain} is gone from the database`);
  const key = await transaction(shop.id, (tx) => createKey(tx, { shopId: shop.id, name: "Demo", scopes: ALL_SCOPES }));
  if (key instanceof Failure) throw new StartError(`No new key for ${domain}: ${key.message}`);
  return { apiKey: key.keyId, apiSecret: key.secret };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    // Absent or damaged: either way there is no key to go on with.
    return undefined;
  }
}

/**
 * Writes `<dataDir>/demo.json`. Only its owner can read it: it holds a secret.
 * @returns the file's path
 */
export async function writeDemoFile(dataDir: string, content: DemoFile): Promise<string> {
  await writeWhole(dataDir, FILE, content);
  return path.join(dataDir, FILE);
}
