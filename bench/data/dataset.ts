import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { ALL_SCOPES, createKey, listKeys, revokeKey } from "../../app/access/index.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { migrate } from "../../app/platform/database/migrations.server.ts";
import { createShop, findShop } from "../../app/shops/index.server.ts";
import { SCHEMA } from "../../server/migrations.ts";
import { say } from "../lifetime.ts";
import { ITEMS_SQL, wishlistsSql, type Shape } from "./shape.ts";

/** Domain of the shop, the same as the devstore's. */
export const DOMAIN = "larkfell-outdoor.myshopify.com";
/** Time zone of the shop. */
export const TIME_ZONE = "Europe/Berlin";

/** A database with one shop. */
export interface Database {
  url: string;
  shopId: number;
  /** created for this run */
  key: { keyId: string; secret: string };
}

export interface Dataset extends Database {
  shape: Shape;
}

/** The content of a database. */
export interface Content {
  /** name of the database */
  name: string;
  /** such as "of 20,000 items" */
  described: string;
  /** statements that fill the tables, in this order; $1 is the shop */
  statements: readonly string[];
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "bench" });
  // A lost connection is reported both here and to the pending query.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const at = new URL(serverUrl);
  at.pathname = `/${name}`;
  return at.href;
}

/** Returns a hash of everything that determines the content of a database. */
async function fingerprint({ statements }: Content): Promise<string> {
  const hash = createHash("sha256").update([DOMAIN, ...statements].join(";"));
  for (const folder of [SCHEMA.migrations, SCHEMA.functions]) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".sql"));
    for (const name of names.sort()) hash.update(await readFile(path.join(folder, name)));
  }
  return `complete ${hash.digest("hex")}`;
}

/** Returns the database of a shape, and creates it unless an earlier run has left it. */
export async function provideDataset(serverUrl: string, shape: Shape): Promise<Dataset> {
  const described = `of ${shape.items.toLocaleString("en")} items`;
  const statements = [wishlistsSql(shape), ITEMS_SQL];
  return { ...(await provideDatabase(serverUrl, { name: `bench_${shape.items}`, described, statements })), shape };
}

/** Returns a database with this content, and creates it unless an earlier run has left it. */
export async function provideDatabase(serverUrl: string, content: Content): Promise<Database> {
  const url = databaseUrl(serverUrl, content.name);
  const marker = await fingerprint(content);
  const isComplete = await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ mark: string | null }>(
      "SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = $1",
      [content.name],
    );
    return rows[0]?.mark === marker;
  });
  if (!isComplete) await createContent(serverUrl, url, content, marker);
  return { url, ...(await provideShop(url)) };
}

async function createContent(serverUrl: string, url: string, content: Content, marker: string): Promise<void> {
  const { name, described, statements } = content;
  const started = performance.now();
  say(`Creating a database ${described}; it is kept for the next run …`);
  await withClient(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  });
  await migrate({ databaseUrl: url, ...SCHEMA });
  const { shopId } = await provideShop(url);
  await withClient(url, async (client) => {
    await client.query("BEGIN");
    await client.query("SET LOCAL work_mem = '256MB'");
    // The loaded rows are consistent, so foreign keys are not checked.
    await client.query("SET LOCAL session_replication_role = replica");
    for (const statement of statements) await client.query(statement, [shopId]);
    await client.query("COMMIT");
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
    await client.query(`COMMENT ON DATABASE ${name} IS '${marker}'`);
  });
  say(`Created in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

/** Creates a copy for writing, so that the original stays unchanged. Requires that the original has no connections. */
export async function copyOf<Original extends Database>(
  serverUrl: string,
  original: Original,
  purpose: string,
): Promise<Original> {
  const template = new URL(original.url).pathname.slice(1);
  const name = `${template}_${purpose}`;
  await withClient(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return { ...original, url: databaseUrl(serverUrl, name) };
}

/** Returns a shop, created if absent, with a new key. Keys of earlier runs are revoked. */
export async function provideShop(url: string, domain = DOMAIN): Promise<Pick<Database, "shopId" | "key">> {
  provideSettings({ DATABASE_URL: url, DATABASE_POOL_SIZE: "2", LOG_LEVEL: "warn" });
  try {
    const shop = (await findShop(domain)) ?? (await createShop({ domain, plan: "growth", timeZone: TIME_ZONE }));
    if (!shop) throw new Error("the shop was not created");
    for (const { keyId, revokedAt } of await listKeys(shop.id)) {
      if (revokedAt === null) await transaction(shop.id, (tx) => revokeKey(tx, shop.id, keyId));
    }
    const key = await transaction(shop.id, (tx) =>
      createKey(tx, { shopId: shop.id, name: "bench", scopes: ALL_SCOPES }),
    );
    if (key instanceof Failure) throw new Error(key.message);
    return { shopId: shop.id, key: { keyId: key.keyId, secret: key.secret } };
  } finally {
    await closeDatabase();
  }
}
