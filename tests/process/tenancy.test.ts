import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { closeDatabase } from "../../app/platform/database.server.ts";
import {
  ALL_SCOPES,
  createKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  type IssuedKey,
} from "../../app/access/index.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { findShop, listShops, setPlan } from "../../app/shops/index.server.ts";
import { client, type Answer, type CallOptions } from "../support/client.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { startService, type Service } from "../support/service.ts";
import { makeShop } from "../support/shop.ts";
import { explainEverything, oneLine, recordStatements, type Executed } from "../support/statements.ts";

let database: TestDatabase;
let service: Service;
/** everything that the database executed while every endpoint was used */
let executed: Executed[];
/** operations of the API that were called, as `GET /v1/…` */
let called: Set<string>;
let documented: string[];

beforeAll(async () => {
  database = await createDatabase();
  await explainEverything(database);
  const statements = await recordStatements(database);
  service = await startService({ database });
  ({ called, documented } = await useEverything(service));
  executed = await statements();
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
  await database.drop();
});

const openapi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Calls every endpoint, in each way that has a statement of its own, and what the command line does with shops and keys. */
async function useEverything(of: Service): Promise<{ called: Set<string>; documented: string[] }> {
  const plain = client(of.url);
  const shop = await makeShop(of, plain, { products: { p1: "v1", p2: "v2" } });
  const document = openapi.parse((await plain("GET", "/v1/openapi.json")).body);
  const methods = new Set(["get", "post", "patch", "put", "delete"]);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => (methods.has(method) ? `${method.toUpperCase()} ${path}` : [])),
  );
  const seen = new Set<string>();
  const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const [bare = ""] = path.split("?");
    // Literal segments before parameters: `shared` is no customer.
    const candidates = operations
      .filter((operation) => new RegExp(`^${operation.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(`${method} ${bare}`))
      .sort((a, b) => (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0));
    for (const operation of candidates.slice(0, 1)) seen.add(operation);
    return plain(method, path, options);
  };

  const { token } = shop;
  const mine = `/v1/wishlists/customer-${randomUUID()}`;
  const old = "2026-01-01T00:00:00.000Z";
  const merge = (base: string, ...variants: string[]): Promise<Answer> =>
    call("POST", `${base}/merge`, {
      token,
      json: { items: variants.map((variantId) => ({ productId: "m", variantId, addedAt: old })) },
    });
  const expectStatus = async (status: number, answer: Promise<Answer>): Promise<Answer> => {
    const { status: given, text } = await answer;
    if (given !== status) throw new Error(`expected ${status}, not ${given}: ${text}`);
    return answer;
  };

  await expectStatus(200, call("GET", "/v1/openapi.json"));
  await expectStatus(200, call("GET", "/v1/docs"));
  await expectStatus(
    200,
    call("POST", "/v1/auth/token", { json: { api_key: shop.keyId, api_secret: shop.secret, customer_id: "c1" } }),
  );
  await expectStatus(200, call("DELETE", `${mine}/items/p1`, { token }));
  await expectStatus(200, call("POST", `${mine}/merge`, { token, json: { items: [] } }));
  await expectStatus(200, call("DELETE", `${mine}/share`, { token }));
  await expectStatus(200, call("GET", mine, { token }));
  await expectStatus(200, call("POST", `${mine}/items`, { token, json: { product_id: "p1" } }));
  await expectStatus(200, call("POST", `${mine}/items`, { token, json: { product_id: "p1" } }));
  await expectStatus(200, call("POST", `${mine}/items`, { token, json: { product_id: "p1", variant_id: "other" } }));
  await expectStatus(200, merge(mine, "a", "b", "c"));
  await expectStatus(200, merge(mine, "a", "b"));
  await expectStatus(
    200,
    call("POST", `${mine}/merge`, { token, json: { items: [{ productId: "p2", addedAt: old }] } }),
  );
  const page = await expectStatus(200, call("GET", `${mine}?limit=2&offset=1`, { token }));
  const tag = page.headers.get("etag") ?? "";
  await expectStatus(304, call("GET", `${mine}?limit=2&offset=1`, { token, headers: { "if-none-match": tag } }));
  await expectStatus(200, call("DELETE", `${mine}/items/p1?variant_id=other`, { token }));
  await expectStatus(200, call("DELETE", `${mine}/items/m`, { token }));
  await database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [shop.id]);
  await expectStatus(409, call("POST", `${mine}/items`, { token, json: { product_id: "p9", variant_id: "v9" } }));
  await expectStatus(409, merge(mine, "d"));

  const link = await expectStatus(200, call("GET", `${mine}/share`, { token }));
  await expectStatus(200, call("GET", `${mine}/share`, { token }));
  const shared = `/v1/wishlists/shared/${link.data<{ shareToken: string }>().shareToken}`;
  await expectStatus(200, call("GET", shared));
  await expectStatus(200, call("GET", `${shared}?offset=1`));
  await expectStatus(404, call("GET", "/v1/wishlists/shared/unknown"));
  await expectStatus(200, call("DELETE", `${mine}/share`, { token }));
  await expectStatus(410, call("GET", shared));
  await expectStatus(200, plain("GET", "/readyz"));

  const made = async (): Promise<IssuedKey> => {
    const key = await createKey({ shopId: shop.id, name: "one more", scopes: ALL_SCOPES });
    if (key instanceof Failure) throw new Error(key.message);
    return key;
  };
  const [first, second] = [await made(), await made()];
  await listKeys(shop.id);
  await rotateKey(shop.id, first.keyId, 1_000);
  await revokeKey(shop.id, second.keyId);
  await revokeKey(shop.id, second.keyId);
  await findKey(first.keyId);
  await findShop(shop.domain);
  await listShops();
  await setPlan(shop.domain, "growth");
  return { called: seen, documented: operations };
}

/** Tables of no shop's own. */
const NOT_A_SHOPS_OWN: Record<string, string> = {
  shop: "its rows are the shops",
  _prisma_migrations: "what was done to the database as a whole",
};

/** Indexes that don't lead with the shop, and why. */
const NOT_BY_SHOP: Record<string, string> = {
  api_key_key_id_key: "a token and the token exchange name a key, and the key tells the shop",
  share_link_token_hash_key: "a share token is all that its bearer has",
  api_key_changed_at: "each process asks what has changed of late in any shop",
};

/** Reads that are not bound to a shop: the one table that each may look through, and by what. */
const UNSCOPED: { why: string; statement: RegExp; table: string; by: RegExp }[] = [
  {
    why: "key_state: a token names its key, and the key tells the shop",
    statement: /^SELECT k\.key_id, .* WHERE k\.key_id = \$1$/,
    table: "api_key",
    by: /\bkey_id = /,
  },
  {
    why: "key_changes: what changed of late in any shop",
    statement: /^SELECT key_id, NULL::integer AS shop_id FROM api_key WHERE changed_at > .* UNION ALL /,
    table: "api_key",
    by: /\bchanged_at > /,
  },
  {
    why: "findKey: the token exchange and the command line know a key by its id alone",
    statement:
      /^SELECT "public"\."api_key"\."shop_id".* FROM "public"\."api_key" WHERE \("public"\."api_key"\."key_id" = \$1 /,
    table: "api_key",
    by: /\bkey_id = /,
  },
  {
    why: "shared_wishlist: a share token is all that its bearer has, and it names the shop",
    statement: /^SELECT l\.shop_id, l\.id, .* WHERE l\.token_hash = \$1 /,
    table: "share_link",
    by: /\btoken_hash = /,
  },
];

/** Tables that only the SQL functions write to, so that rows, count and log always agree. */
const WRITTEN_BY_FUNCTIONS = new Set(["wishlist", "wishlist_item", "activity", "share_link"]);
/** The one exception: counting views is not a change to the wishlist. */
const VIEWS_COUNTED = "UPDATE share_link SET views = views + 1 WHERE shop_id = $1 AND id = $2";

const BY_SHOP = /\bshop_id = |= shop_id\b/;

function tenantTable(table: string): boolean {
  return !(table in NOT_A_SHOPS_OWN) && !table.startsWith("pg_");
}

/** Scans of a shop's own table without a condition that names the shop. */
function unscopedScans(statements: readonly Executed[]): string[] {
  const found = statements.flatMap(({ text, scans }) =>
    scans
      .filter(({ table, conditions }) => tenantTable(table) && !BY_SHOP.test(conditions))
      .filter(
        ({ table, conditions }) =>
          !UNSCOPED.some((one) => one.statement.test(text) && one.table === table && one.by.test(conditions)),
      )
      .map(({ table }) => `${table}: ${text}`),
  );
  return [...new Set(found)];
}

function directWrites(statements: readonly Executed[]): string[] {
  const found = statements
    .filter(({ text, direct }) => direct && text !== VIEWS_COUNTED)
    .flatMap(({ text, writes }) =>
      writes
        .filter(({ table }) => WRITTEN_BY_FUNCTIONS.has(table))
        .map(({ table, operation }) => `${operation} ${table}: ${text}`),
    );
  return [...new Set(found)];
}

describe("the schema", () => {
  interface Index {
    table: string;
    index: string;
    leads: string;
  }

  async function indexes(): Promise<Index[]> {
    return database.rows<Index>(
      `SELECT t.relname AS table, x.relname AS index, a.attname AS leads
         FROM pg_index i
         JOIN pg_class t ON t.oid = i.indrelid
         JOIN pg_class x ON x.oid = i.indexrelid
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE t.relnamespace = 'public'::regnamespace`,
    );
  }

  test("has the shop's id first in every key and index of every table that belongs to shops", async () => {
    const others = (await indexes()).filter(({ table, leads }) => tenantTable(table) && leads !== "shop_id");
    expect(others.map(({ index }) => index).sort()).toEqual(Object.keys(NOT_BY_SHOP).sort());
  });

  test("has a primary key that begins with the shop's id in every table that belongs to shops", async () => {
    const rows = await database.rows<{ table: string }>(
      `SELECT t.relname AS table FROM pg_class t
        WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
          AND NOT EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
                           WHERE i.indrelid = t.oid AND i.indisprimary AND a.attname = 'shop_id')`,
    );
    expect(rows.map(({ table }) => table).sort()).toEqual(Object.keys(NOT_A_SHOPS_OWN).sort());
  });

  test("refers from one table of a shop to another only within the shop", async () => {
    const rows = await database.rows<{ name: string; columns: string[]; target: string }>(
      `SELECT c.conname AS name, c.confrelid::regclass::text AS target,
              array(SELECT attname::text FROM unnest(c.conkey) k JOIN pg_attribute a
                                        ON a.attrelid = c.conrelid AND a.attnum = k) AS columns
         FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, columns, target } of rows) {
      expect({ name, shop: columns.includes("shop_id") }).toEqual({ name, shop: true });
      if (target !== "shop") expect({ name, columns: columns.length }).toEqual({ name, columns: 2 });
    }
  });
});

describe("whatever is called", () => {
  test("is all that there is: every documented operation was used", () => {
    expect(documented.length).toBeGreaterThan(0);
    expect([...called].sort()).toEqual(documented.toSorted());
  });

  test("no statement reads or changes a table of shops without naming the shop, but the few that are named here", () => {
    expect(executed.length).toBeGreaterThan(100);
    expect(unscopedScans(executed)).toEqual([]);
  });

  test("each of those few is in use", () => {
    for (const { why, statement, table, by } of UNSCOPED) {
      const inUse = executed.some(
        ({ text, scans }) =>
          statement.test(text) && scans.some((scan) => scan.table === table && by.test(scan.conditions)),
      );
      expect({ why, inUse }).toEqual({ why, inUse: true });
    }
  });

  test("wishlists, their items, links and log are written by the SQL functions alone", () => {
    expect(executed.some(({ writes }) => writes.some(({ table }) => table === "wishlist_item"))).toBe(true);
    expect(directWrites(executed)).toEqual([]);
    expect(executed.some(({ text, direct }) => direct && text === VIEWS_COUNTED)).toBe(true);
  });

  test("every statement inside the SQL functions was among them", async () => {
    const functions = await database.rows<{ name: string; body: string }>(
      `SELECT proname AS name, prosrc AS body FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')`,
    );
    const ran = new Set(executed.map(({ text }) => text));
    const missing = functions.flatMap(({ name, body }) =>
      statementsOf(body)
        .filter((text) => !ran.has(text))
        .map((text) => `${name}: ${text}`),
    );
    expect(functions.flatMap(({ body }) => statementsOf(body)).length).toBeGreaterThan(15);
    expect(missing).toEqual([]);
  });
});

/** The SQL statements of a plpgsql body as plpgsql hands them to the planner: without their INTO, PERFORM as SELECT. */
function statementsOf(body: string): string[] {
  return body
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .flatMap((part) => {
      const [text] = /\b(?:WITH|SELECT|INSERT|UPDATE|DELETE|PERFORM)\b.*/s.exec(part) ?? [];
      // `PERFORM pg_notify(…)` touches no table.
      if (text === undefined || !/\b(?:FROM|INSERT INTO|UPDATE)\b/.test(text)) return [];
      return oneLine(
        text.replace(/^PERFORM/, "SELECT").replaceAll(/(?<!INSERT\s)\bINTO (?:STRICT )?\w+(?:,\s*\w+)*/g, ""),
      );
    });
}

describe("the checks above see", () => {
  async function planted(...statements: string[]): Promise<Executed[]> {
    const record = await recordStatements(database);
    // The pool's connections are older than the setting.
    const planting = new pg.Client({ connectionString: database.url });
    await planting.connect();
    await planting.query("BEGIN");
    for (const statement of statements) await planting.query(statement);
    await planting.query("ROLLBACK");
    await planting.end();
    return record();
  }

  test.each([
    "SELECT * FROM wishlist_item WHERE wishlist_id = 1",
    "SELECT count(*) FROM wishlist",
    "SELECT 1 FROM wishlist w JOIN wishlist_item i ON i.wishlist_id = w.id WHERE w.shop_id = 1",
    "SELECT (SELECT max(version) FROM activity) FROM shop",
    "UPDATE api_key SET name = 'x' WHERE key_id = 'y'",
    "DELETE FROM product WHERE product_id = 'p'",
    "SELECT key_id FROM api_key WHERE secret_hint = 'abcd'",
    "SELECT 1 FROM wishlist WHERE shop_id > 0",
  ])("an unscoped statement: %s", async (statement) => {
    expect(unscopedScans(await planted(statement))).toHaveLength(1);
  });

  test("an unscoped statement inside a function", async () => {
    const found = await planted(
      `CREATE FUNCTION planted() RETURNS bigint LANGUAGE plpgsql AS $$
       DECLARE n bigint; BEGIN SELECT count(*) INTO n FROM wishlist_item; RETURN n; END $$`,
      "SELECT planted()",
    );
    expect(unscopedScans(found)).toEqual([expect.stringMatching(/^wishlist_item: SELECT count/)]);
  });

  test.each([
    "UPDATE wishlist SET item_count = 0 WHERE shop_id = 1 AND id = 1",
    "DELETE FROM wishlist_item WHERE shop_id = 1",
    "INSERT INTO activity SELECT * FROM activity WHERE shop_id = 0",
    "WITH gone AS (DELETE FROM share_link WHERE shop_id = 1 RETURNING id) SELECT count(*) FROM gone",
  ])("a write past the functions: %s", async (statement) => {
    expect(directWrites(await planted(statement))).toHaveLength(1);
    expect(unscopedScans(await planted(statement))).toEqual([]);
  });
});
