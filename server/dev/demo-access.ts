import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import {
  ALL_SCOPES,
  authenticateKey,
  authenticatePublishableKey,
  createKey,
  createPublishableKey,
} from "../../app/access/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { findShop, type Shop } from "../../app/shops/index.server.ts";
import { StartError } from "../fail.ts";
import { writeJsonAtomically } from "../postgres/data-folder.ts";

/** Origins of a shop front on this machine: the default address of Vite's development server. */
export const SHOP_FRONT_ORIGINS = ["http://127.0.0.1:5173", "http://localhost:5173"] as const;

export interface DemoAccess {
  apiKey: string;
  apiSecret: string;
  /** a key for pages of `SHOP_FRONT_ORIGINS` */
  publishableKey: string;
}

/** What a shop front of another origin needs besides the publishable key. All of it is public. */
export interface DemoStorefront {
  /** the shop's domain */
  shop: string;
  /** where the store's APIs and its login are */
  url: string;
  /** of the Storefront API and the Customer Account API */
  apiVersion: string;
  storefrontAccessToken: string;
  /** the public client of the Customer Account API; `{url}/.well-known/openid-configuration` names the endpoints */
  customerAccount: { clientId: string; redirectUris: readonly string[]; logoutUris: readonly string[] };
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
  storefront: DemoStorefront;
}

const accessSchema = z.object({ apiKey: z.string(), apiSecret: z.string() });
const publishableSchema = z.object({ publishableKey: z.string() });
/** In the data folder. */
export const DEMO_FILE = "demo.json";

/** Returns the keys that earlier runs wrote as far as they still work, otherwise new ones. */
export async function demoAccess(dataDir: string, domain: string): Promise<DemoAccess> {
  const saved = await readJson(path.join(dataDir, DEMO_FILE));
  const secretKey = await savedKey(saved, domain);
  const publishableKey = await savedPublishableKey(saved, domain);
  const shop = await findShop(domain);
  if (!shop) throw new Error(`the database does not have the shop ${domain}`);
  return {
    ...(secretKey ?? (await newKey(shop))),
    publishableKey: publishableKey ?? (await newPublishableKey(shop)),
  };
}

type SecretKey = Pick<DemoAccess, "apiKey" | "apiSecret">;

async function savedKey(saved: unknown, domain: string): Promise<SecretKey | undefined> {
  const parsed = accessSchema.safeParse(saved);
  if (!parsed.success) return undefined;
  const { apiKey, apiSecret } = parsed.data;
  const state = await authenticateKey({ keyId: apiKey, secret: apiSecret });
  return state instanceof Failure || state.shop !== domain ? undefined : { apiKey, apiSecret };
}

async function savedPublishableKey(saved: unknown, domain: string): Promise<string | undefined> {
  const parsed = publishableSchema.safeParse(saved);
  if (!parsed.success) return undefined;
  const { publishableKey } = parsed.data;
  for (const origin of SHOP_FRONT_ORIGINS) {
    const state = await authenticatePublishableKey(publishableKey, origin);
    if (state instanceof Failure || state.shop !== domain) return undefined;
  }
  return publishableKey;
}

async function newKey({ id, domain }: Shop): Promise<SecretKey> {
  const key = await transaction(id, (tx) => createKey(tx, { shopId: id, name: "Demo", scopes: ALL_SCOPES }));
  if (key instanceof Failure) throw new StartError(`Cannot create a key for ${domain}: ${key.message}`);
  return { apiKey: key.keyId, apiSecret: key.secret };
}

async function newPublishableKey({ id, domain }: Shop): Promise<string> {
  const key = await transaction(id, (tx) =>
    createPublishableKey(tx, { shopId: id, name: "Demo shop front", allowedOrigins: SHOP_FRONT_ORIGINS }),
  );
  if (key instanceof Failure) throw new StartError(`Cannot create a publishable key for ${domain}: ${key.message}`);
  return key.keyId;
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
  await writeJsonAtomically(dataDir, DEMO_FILE, content);
  return path.join(dataDir, DEMO_FILE);
}
