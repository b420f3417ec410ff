import { executeSql } from "../database/database.server.ts";
import { fingerprints, seal, unseal, type KeyRing } from "./crypto.server.ts";

/** A column whose values are sealed. */
export interface SealedColumn {
  /** what the values are, in the plural, such as "share links" */
  holds: string;
  table: string;
  column: string;
  /** false for a table without shop_id */
  byShop: boolean;
  /** the columns of the primary key after shop_id, in its order, with their types */
  key: Readonly<Record<string, "bigint" | "text">>;
  /** the purpose that a row's value is sealed for */
  purpose: (shopId: number, key: readonly string[]) => string;
  /** the column of the value's fingerprint, which the same key has made, and the text that it is of */
  fingerprint?: { column: string; text: (shopId: number, value: string) => string };
}

/** Rows per batch. */
const BATCH = 500;

const KEY_ID = (column: string): string => `split_part(${column}, '.', 1)`;

/** Counts the values that each key has sealed, by key id. */
export async function countSealed({ table, column }: SealedColumn): Promise<Map<string, number>> {
  const { rows } = await executeSql(
    `SELECT ${KEY_ID(column)} AS key_id, count(*) AS sealed FROM ${table} WHERE ${column} LIKE '_%._%' GROUP BY 1`,
  );
  return new Map(rows.map((row) => [String(row["key_id"]), Number(row["sealed"])]));
}

export interface Resealed {
  resealed: number;
  /** values that can't be unsealed: their key is not in the ring, or they are damaged */
  failed: number;
}

/**
 * Seals all values of a column with the ring's first key that another key has sealed. A value that changes meanwhile is skipped. An
 * interrupted run can be repeated: the next run processes only the remaining values.
 * @param shopIds the shops, for a table with shop_id
 * @param onBatch called with the number of values sealed in each batch
 */
export async function resealColumn(
  of: SealedColumn,
  { ring, shopIds, onBatch }: { ring: KeyRing; shopIds: readonly number[]; onBatch: (count: number) => void },
): Promise<Resealed> {
  const sum: Resealed = { resealed: 0, failed: 0 };
  for (const shopId of of.byShop ? shopIds : [0]) {
    let after: readonly string[] | undefined;
    do {
      const rows = await readBatch(of, shopId, ring[0].id, after);
      after = rows.length < BATCH ? undefined : rows.at(-1)?.key;
      const fresh = rows.flatMap(({ key, sealed }) => {
        try {
          const purpose = of.purpose(shopId, key);
          const value = unseal(sealed, purpose, ring);
          const text = of.fingerprint?.text(shopId, value);
          const [fingerprint] = text === undefined ? [] : fingerprints(text, purpose, ring);
          return [{ key, sealed, fresh: seal(value, purpose, ring), fingerprint }];
        } catch {
          return [];
        }
      });
      const written = await writeBatch(of, shopId, fresh);
      sum.failed += rows.length - fresh.length;
      sum.resealed += written;
      if (written > 0) onBatch(written);
    } while (after);
  }
  return sum;
}

interface Value {
  key: readonly string[];
  sealed: string;
}

async function readBatch(
  { table, column, byShop, key }: SealedColumn,
  shopId: number,
  keyId: string,
  after: readonly string[] | undefined,
): Promise<Value[]> {
  const columns = Object.keys(key);
  const placeholders = Object.values(key).map((type, index) => `$${index + 3}::${type}`);
  const { rows } = await executeSql(
    `SELECT ARRAY[${columns.map((name) => `${name}::text`).join(", ")}] AS row_key, ${column} AS sealed FROM ${table}
      WHERE ${byShop ? "shop_id = $1" : "$1::bigint = 0"} AND ${column} LIKE '_%._%' AND ${KEY_ID(column)} <> $2
        ${after ? `AND (${columns.join(", ")}) > (${placeholders.join(", ")})` : ""}
      ORDER BY ${columns.join(", ")} LIMIT ${BATCH}`,
    [shopId, keyId, ...(after ?? [])],
  );
  return rows.map(({ row_key: values, sealed }) => ({
    key: Array.isArray(values) ? values.map(String) : [],
    sealed: String(sealed),
  }));
}

/** Writes each value unless it has changed since it was read. @returns the number of values written */
async function writeBatch(
  { table, column, byShop, key, fingerprint }: SealedColumn,
  shopId: number,
  values: readonly (Value & { fresh: string; fingerprint: string | undefined })[],
): Promise<number> {
  const columns = Object.keys(key);
  const given = Object.values(key).map((type, index) => `$${index + 5}::${type}[]`);
  const { rows } = await executeSql(
    `WITH written AS (
       UPDATE ${table} t SET ${column} = g.fresh${fingerprint ? `, ${fingerprint.column} = g.fingerprint` : ""}
         FROM unnest($2::text[], $3::text[], $4::text[], ${given.join(", ")}) AS g (sealed, fresh, fingerprint, ${columns.join(", ")})
        WHERE ${byShop ? "t.shop_id = $1" : "$1::bigint = 0"}
          AND ${columns.map((name) => `t.${name} = g.${name}`).join(" AND ")} AND t.${column} = g.sealed
       RETURNING 1
     )
     SELECT count(*) AS count FROM written`,
    [
      shopId,
      values.map(({ sealed }) => sealed),
      values.map(({ fresh }) => fresh),
      values.map((value) => value.fingerprint ?? null),
      ...columns.map((_, index) => values.map((value) => value.key[index])),
    ],
  );
  return Number(rows[0]?.["count"] ?? 0);
}
