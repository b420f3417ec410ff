import type { PoolClient } from "pg";
import type { Act, Owner } from "./analytics-model.ts";

/** SQL for the shop's calendar day at the time $2. */
const DAY = "(SELECT ($2::timestamptz AT TIME ZONE time_zone)::date FROM shop WHERE id = $1)";

/** Locks the owner's wishlist and returns its id, or null when there is none. */
async function lock(client: PoolClient, shopId: number, owner: Owner, at: Date): Promise<number | null> {
  const { rows } = await client.query<{ id: number | null }>("SELECT id FROM wishlist_lock($1, $2, $3, $4, $5)", [
    shopId,
    owner.kind,
    owner.id,
    at,
    false,
  ]);
  return rows[0]?.id ?? null;
}

/** Deletes all items of a wishlist and logs it, like an erasure. */
async function takeOut(client: PoolClient, shopId: number, owner: Owner, source: string, at: Date): Promise<void> {
  const wishlistId = await lock(client, shopId, owner, at);
  if (wishlistId === null) return;
  await client.query(
    `WITH gone AS (
       DELETE FROM wishlist_item WHERE shop_id = $1 AND wishlist_id = $3 RETURNING *
     ), counted AS (
       UPDATE wishlist SET item_count = 0, version = version + 1
        WHERE shop_id = $1 AND id = $3 AND item_count > 0 RETURNING version
     ), logged AS (
       INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day)
       SELECT $1, 'removed', $4, $5, $6, $3, c.version, 0, g.product_id, g.variant_id, $2, ${DAY} FROM gone g, counted c
     )
     SELECT 1`,
    [shopId, at, wishlistId, source, owner.kind, owner.id],
  );
}

/** SQLSTATE of a change to a guest's list that was merged. */
const MERGED = "WL002";

/** Applies a change within the client's transaction. A refused change is rolled back. */
export async function perform(client: PoolClient, shopId: number, act: Act, at: Date): Promise<void> {
  await client.query("SAVEPOINT act");
  try {
    await attempt(client, shopId, act, at);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === MERGED)) throw error;
    await client.query("ROLLBACK TO act");
  }
}

async function attempt(client: PoolClient, shopId: number, act: Act, at: Date): Promise<void> {
  const call = async (name: string, owner: Owner, ...values: unknown[]): Promise<void> => {
    const given = [shopId, owner.kind, owner.id, ...values, at];
    await client.query(`SELECT ${name}(${given.map((_, i) => `$${i + 1}`).join(", ")})`, given);
  };
  switch (act.act) {
    case "add":
      return call("wishlist_add", act.owner, act.item.product, act.item.variant, act.source);
    case "remove":
      return call("wishlist_remove", act.owner, act.product, act.variant, act.source);
    case "merge": {
      const { items } = act;
      const [products, variants] = [items.map(({ product }) => product), items.map(({ variant }) => variant)];
      // The saves are older, but the day of the merge counts.
      const addedAt = items.map(() => new Date(at.getTime() - 5 * 86_400_000));
      return call("wishlist_merge", act.owner, products, variants, addedAt, act.source);
    }
    case "cart":
      return call("wishlist_record_cart", act.owner, act.item.product, act.item.variant, act.event, act.source);
    case "share": {
      const token = Buffer.from(crypto.randomUUID());
      return call("wishlist_share", act.owner, token, "sealed", act.source);
    }
    case "login":
      await client.query("SELECT wishlist_merge_guest($1, $2, $3, $4)", [shopId, act.guest, act.customer, at]);
      return;
    case "forget":
      await client.query("DELETE FROM merged_guest WHERE shop_id = $1 AND guest_id = $2", [shopId, act.guest]);
      return;
    case "purge":
      await client.query("SELECT guest_purge($1, 'infinity', '', 100, $2)", [shopId, at]);
      return;
    case "clear":
      await takeOut(client, shopId, act.owner, act.source, at);
  }
}
