import { VARIANT_OFFSET } from "../load/workload.ts";
import { withClient, type Database, type Dataset } from "./dataset.ts";
import { writingCustomers } from "./shape.ts";

/**
 * Items that a run adds have product ids above those of the bulk load: `firstProduct + n`, saved by the writing customers in turn.
 */
const FIRST_NEW_PRODUCT = 8_500_000_000_000;
const PER_ROUND = 100_000_000;

let rounds = 0;

/** Returns the first id of a range of products that no earlier round of this run has used. */
export function newProducts(): number {
  return FIRST_NEW_PRODUCT + rounds++ * PER_ROUND;
}

const RECOUNT = `
  UPDATE wishlist w SET item_count = c.items, version = version + 1
    FROM (SELECT wishlist_id, count(*) AS items FROM wishlist_item WHERE shop_id = $1 GROUP BY wishlist_id) c
   WHERE w.shop_id = $1 AND w.id = c.wishlist_id AND w.item_count <> c.items`;

/** Restores a database to the state after the bulk load. */
export async function removeNewItems({ url, shopId }: Database): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query("DELETE FROM wishlist_item WHERE shop_id = $1 AND product_id >= $2", [
      shopId,
      String(FIRST_NEW_PRODUCT),
    ]);
    if (rowCount !== 0) await client.query(RECOUNT, [shopId]);
    await client.query("TRUNCATE activity");
    await client.query("VACUUM (ANALYZE) wishlist, wishlist_item, activity");
  });
}

/** Saves `count` new items, with the same result as that many adds. */
export async function saveNewItems(dataset: Dataset, firstProduct: number, count: number): Promise<void> {
  const { url, shopId, shape } = dataset;
  await withClient(url, async (client) => {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query(
      `INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on)
       SELECT $1, w.id, ($3 + n)::text, ($3 + n + $5)::text, now(), current_date
         FROM generate_series(0::bigint, $4 - 1) AS n
         JOIN unnest($2::text[]) WITH ORDINALITY AS c (owner_id, place) ON c.place = n % cardinality($2::text[]) + 1
         JOIN wishlist w ON w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = c.owner_id
                        AND w.handle = 'default'`,
      [shopId, writingCustomers(shape), firstProduct, count, VARIANT_OFFSET],
    );
    await client.query(RECOUNT, [shopId]);
    await client.query("COMMIT");
  });
}

/** Counts the items of a round's range of products. */
export async function countNewItems({ url, shopId }: Database, firstProduct: number): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ items: string }>(
      "SELECT count(*) AS items FROM wishlist_item WHERE shop_id = $1 AND product_id >= $2 AND product_id < $3",
      [shopId, String(firstProduct), String(firstProduct + PER_ROUND)],
    );
    return Number(rows[0]?.items);
  });
}

/** After a checkpoint PostgreSQL logs full pages for a while, so every round of writes starts right after one. */
export async function checkpoint({ url }: Database): Promise<void> {
  await withClient(url, (client) => client.query("CHECKPOINT"));
}
