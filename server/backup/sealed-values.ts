import type pg from "pg";
import { unseal } from "../../app/platform/encryption/crypto.server.ts";
import type { readEncryptionKeys } from "../../app/platform/process/env.server.ts";
import { SEALED } from "../../app/sealed.server.ts";
import { Refusal } from "../commands/refusal.ts";
import type { Manifest } from "./manifest.ts";
import { tableExists } from "./source-tables.ts";

export type EncryptionKeys = ReturnType<typeof readEncryptionKeys>;

/** A database of an earlier release may lack columns. */
async function columnExists(client: pg.Client, table: string, column: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND column_name = $2",
    [table, column],
  );
  return rowCount !== 0;
}

/** Returns those keys that have sealed a value. A key that is recorded may have sealed none yet, or none any more. */
export async function keysWithValues(client: pg.Client, keyIds: readonly string[]): Promise<string[]> {
  const used = new Set<string>();
  for (const { table, column } of SEALED) {
    if (!(await columnExists(client, table, column))) continue;
    for (const id of keyIds) {
      if (used.has(id)) continue;
      const { rows } = await client.query<{ found: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM ${table} WHERE starts_with(${column}, $1)) AS found`,
        [`${id}.`],
      );
      if (rows[0]?.found === true) used.add(id);
    }
  }
  return keyIds.filter((id) => used.has(id));
}

/**
 * Unseals one value of each key and column, because two keys may have the same id.
 * @throws Refusal when a value was sealed with another key of that id
 */
export async function checkSealedValues(
  client: pg.Client,
  { sealingKeys }: Manifest,
  keys: EncryptionKeys,
): Promise<void> {
  for (const { table, column, byShop, key, purpose, holds } of SEALED) {
    if (!(await tableExists(client, table))) continue;
    const columns = Object.keys(key).map((name) => `${name}::text`);
    for (const id of sealingKeys) {
      const { rows } = await client.query<{ shop: string; key: string[]; sealed: string }>(
        `SELECT ${byShop ? "shop_id" : "0"}::text AS shop, ARRAY[${columns.join(", ")}] AS key, ${column} AS sealed
           FROM ${table} WHERE starts_with(${column}, $1) LIMIT 1`,
        [`${id}.`],
      );
      for (const row of rows) {
        try {
          unseal(row.sealed, purpose(Number(row.shop), row.key), keys);
        } catch {
          throw new Refusal(
            `The key ${id} of ENCRYPTION_KEYS does not unseal the ${holds} of the backup: another key had this id. Set ENCRYPTION_KEYS as for the service that was backed up.`,
          );
        }
      }
    }
  }
}
