import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { MATRIX } from "../support/matrix.ts";
import { fingerprints, keyIdOf, seal, unseal, type KeyRing } from "../../app/platform/encryption/crypto.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { parseEncryptionKeys, provideSettings } from "../../app/platform/process/env.server.ts";
import { resealColumn } from "../../app/platform/encryption/sealed-columns.server.ts";
import { SEALED } from "../../app/sealed.server.ts";
import { openArchive } from "../../server/backup/archive-reader.ts";
import { client } from "../support/app/client.ts";
import { backUpTo, newBackupFile } from "../support/database/backups.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { launch } from "../support/app/launch.ts";
import { serviceEnv, startService } from "../support/app/service.ts";
import { makeShop } from "../support/app/shop.ts";
import { cli, command, killCommands } from "./fixtures/commands.ts";
import { lockWaiters } from "../support/database/locks.ts";

const keyOf = (id: string, text: string): string => `${id}:${Buffer.from(text).toString("base64")}`;
const OLD = keyOf("old", "0123456789abcdefghijklmnopqrstuv");
const NEW = keyOf("new", "vutsrqponmlkjihgfedcba9876543210");
const OLD_RING = parseEncryptionKeys(OLD);
const BOTH = `${NEW},${OLD}`;
const BOTH_RING: KeyRing = parseEncryptionKeys(BOTH);

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  provideSettings({ DATABASE_URL: database.url });
});
afterEach(killCommands);
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});
beforeEach(async () => {
  await database.rows("TRUNCATE shop, session, sealing_key, email_suppression, contact CASCADE");
  await database.rows("INSERT INTO shop (id, domain) VALUES (7, 'a.myshopify.com')");
  await database.rows("INSERT INTO sealing_key (key_id) VALUES ('old')");
  await fill();
});

/** Inserts a row into every table with a sealed column, sealed with the old key. */
async function fill(): Promise<void> {
  const sealed = (holds: string, ...key: string[]): string => {
    const column = SEALED.find((one) => one.holds === holds);
    if (!column) throw new Error(`no column holds ${holds}`);
    return seal(`plain ${holds}`, column.purpose(7, key), OLD_RING);
  };
  await database.rows(
    "INSERT INTO wishlist (shop_id, id, owner_kind, owner_id, created_at, updated_at) VALUES (7, 1, 'customer', 'c', now(), now())",
  );
  await database.rows(
    `INSERT INTO share_link (shop_id, id, wishlist_id, token_hash, token_sealed, created_at, expires_at)
     VALUES (7, 1, 1, '\\x01', $1, now(), now())`,
    [sealed("share links", "1")],
  );
  await database.rows(
    `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, old_secret_sealed, old_secret_until, created_at)
     VALUES (7, 'w', 'https://example.com', '{wishlist.shared}', $1, $2, now() + interval '1 day', now())`,
    [sealed("webhook secrets", "w"), sealed("previous webhook secrets", "w")],
  );
  await database.rows(
    "INSERT INTO idempotent_response (shop_id, key_id, key, fingerprint, response_sealed, created_at) VALUES (7, 'k', 'i', '\\x01', $1, now())",
    [sealed("idempotent responses", "k", "i")],
  );
  await database.rows(
    `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at, subject_sealed, record_sealed)
     VALUES (7, 'p', 'data_request', 'h', 'pending', now(), now(), $1, $2)`,
    [sealed("subjects of privacy requests", "p"), sealed("records of privacy requests", "p")],
  );
  await database.rows("INSERT INTO email_suppression VALUES (7, 'c', $1, now(), '550')", [
    sealed("suppressed email addresses", "c"),
  ]);
  await database.rows("INSERT INTO contact VALUES (7, 'contact 1', 'of the old key', $1, now())", [
    sealed("addresses of shoppers without an account", "contact 1"),
  ]);
  await database.rows(
    `INSERT INTO marketing_connection (shop_id, tool, key_sealed, account_id, account_name, connected_at)
     VALUES (7, 'klaviyo', $1, 'A', 'An account', now())`,
    [sealed("keys of marketing tools", "klaviyo")],
  );
  await database.rows(
    "INSERT INTO session (id, shop, state, access_token, refresh_token) VALUES ('s', 'a.myshopify.com', '', $1, $2)",
    [sealed("Shopify access tokens", "s"), sealed("Shopify refresh tokens", "s")],
  );
}

/** Returns every sealed value of the database by its content. */
async function values(): Promise<Record<string, string>> {
  const entries = SEALED.map(async ({ holds, table, column }) => {
    const [row] = await database.rows<{ sealed: string }>(`SELECT ${column} AS sealed FROM ${table}`);
    return [holds, row?.sealed ?? ""] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const env = (keys: string) => ({ DATABASE_URL: database.url, ENCRYPTION_KEYS: keys });

test("SEALED lists every column whose name ends with sealed", async () => {
  const columns = await database.rows<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public'
        AND (column_name LIKE '%\\_sealed' OR (table_name = 'session' AND column_name LIKE '%\\_token')) ORDER BY 1`,
  );
  expect(SEALED.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(columns.map(({ name }) => name));
});

test("reseal seals every value with the first key and keeps its content", async () => {
  const { code, stdout, stderr } = await cli(env(BOTH), "secrets", "reseal", "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({ keyId: "new", resealed: SEALED.length, removable: ["old"] });
  const now = await values();
  const newRing = parseEncryptionKeys(NEW);
  for (const { holds, purpose, key } of SEALED) {
    const place = { bigint: ["1"], text: [] }[Object.values(key)[0] ?? "text"];
    const ids = place.length > 0 ? place : idsOf(holds);
    expect(unseal(now[holds] ?? "", purpose(7, ids), newRing)).toBe(`plain ${holds}`);
  }
  // What is found by a keyed hash is found with the new key.
  const text = "7 plain addresses of shoppers without an account";
  expect(await database.rows("SELECT address_hash AS hash FROM contact")).toEqual([
    { hash: fingerprints(text, "contact.address", newRing)[0] },
  ]);
  const started = await startService({ database, env: { ENCRYPTION_KEYS: NEW } });
  expect(await started.stop()).toBe(0);
});

function idsOf(holds: string): string[] {
  if (holds.includes("webhook")) return ["w"];
  if (holds.includes("privacy")) return ["p"];
  return holds.includes("Shopify") ? ["s"] : ["k", "i"];
}

test("reseal reports its progress on standard error", MATRIX, async () => {
  const { stdout, stderr } = await cli(env(BOTH), "secrets", "reseal");
  expect(stdout).toBe(`Sealed ${SEALED.length} values again with new. No value needs old any more.\n`);
  expect(stderr.split("\n")).toContain("share links: 1 of 1");
});

test("reseal does not overwrite a value that changes while it runs", MATRIX, async () => {
  const [column] = SEALED.filter(({ holds }) => holds === "webhook secrets");
  if (!column) throw new Error("no column holds webhook secrets");
  const rotated = seal("rotated", column.purpose(7, ["w"]), OLD_RING);
  const ring: KeyRing = BOTH_RING;
  const lock = await database.pool.connect();
  await lock.query("BEGIN");
  await lock.query("UPDATE webhook_endpoint SET secret_sealed = $1", [rotated]);
  const running = resealColumn(column, { ring, shopIds: [7], onBatch: () => undefined });
  await lockWaiters(database);
  await lock.query("COMMIT");
  lock.release();
  expect(await running).toEqual({ resealed: 0, failed: 0 });
  expect((await values())["webhook secrets"]).toBe(rotated);
});

test("reseal resumes after an interruption", MATRIX, async () => {
  await database.rows(
    `INSERT INTO share_link (shop_id, id, wishlist_id, token_hash, token_sealed, created_at, expires_at, revoked_at)
     SELECT 7, n, 1, ('\\x' || lpad(to_hex(n), 8, '0'))::bytea, l.token_sealed, now(), now(), now()
       FROM share_link l, generate_series(2, 1200) AS n`,
  );
  const [column] = SEALED.filter(({ holds }) => holds === "share links");
  if (!column) throw new Error("no column holds share links");
  const interrupted = resealColumn(column, {
    ring: BOTH_RING,
    shopIds: [7],
    onBatch: () => {
      throw new Error("interrupted");
    },
  });
  await expect(interrupted).rejects.toThrow("interrupted");
  expect(await resealColumn(column, { ring: BOTH_RING, shopIds: [7], onBatch: () => undefined })).toEqual({
    resealed: 700,
    failed: 0,
  });
  expect(await database.rows("SELECT 1 FROM share_link WHERE token_sealed NOT LIKE 'new.%'")).toEqual([]);
});

test("reseal fails and names a value's key that is missing from ENCRYPTION_KEYS", MATRIX, async () => {
  const { code, stderr } = await command(env(NEW), "secrets", "reseal", "--json");
  expect(code).toBe(1);
  const { error } = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).parse(JSON.parse(stderr));
  expect(error.code).toBe("refused");
  expect(error.message).toContain("old (not in ENCRYPTION_KEYS) has sealed: share links (1)");
  expect(keyIdOf((await values())["share links"] ?? "")).toBe("old");
});

test("status counts the sealed values of each key", async () => {
  const uses = z
    .array(z.object({ keyId: z.string(), state: z.string(), total: z.int() }))
    .parse(JSON.parse((await command(env(NEW), "secrets", "status", "--json")).stdout));
  expect(uses).toEqual([
    { keyId: "new", state: "seals", total: 0 },
    { keyId: "old", state: "missing", total: SEALED.length },
  ]);
});

test("a start without a key in use fails and names the key and its uses", MATRIX, async () => {
  const refused = launch({ ...serviceEnv(database.url), ENCRYPTION_KEYS: NEW });
  expect(await refused.ended).toBe(1);
  expect(refused.stderr()).toContain("ENCRYPTION_KEYS lacks keys that are still in use");
  expect(refused.stderr()).toContain("old has sealed: share links (1), webhook secrets (1)");
  for (const key of [OLD, NEW]) expect(refused.stderr()).not.toContain(key.split(":")[1]);
  // Otherwise a later backup would name a key that has sealed nothing.
  expect(await database.rows("SELECT key_id FROM sealing_key")).toEqual([{ key_id: "old" }]);
});

test("a backup names the keys that have sealed values, and no recorded key without any", async () => {
  await database.rows("INSERT INTO sealing_key (key_id) VALUES ('new')");
  const file = newBackupFile();
  await backUpTo(file, database);
  const archive = await openArchive(file);
  archive.close();
  await rm(file);
  expect(archive.manifest.sealingKeys).toEqual(["old"]);
});

test("a start without an abandoned key succeeds", MATRIX, async () => {
  expect(await cli(env(NEW), "secrets", "abandon", "old")).toMatchObject({ code: 0, stderr: "" });
  const started = await startService({ database, env: { ENCRYPTION_KEYS: NEW } });
  expect(await started.stop()).toBe(0);
});

test("a start records its key before it seals a value", MATRIX, async () => {
  const service = await startService({ database, env: { ENCRYPTION_KEYS: BOTH } });
  const shop = await makeShop(service, client(service.url), { plan: "starter" });
  expect(shop.id).toBeGreaterThan(0);
  expect(await database.rows("SELECT key_id FROM sealing_key ORDER BY 1")).toEqual([
    { key_id: "new" },
    { key_id: "old" },
  ]);
  await service.stop();
});
