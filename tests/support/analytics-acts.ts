import type { PoolClient } from "pg";
import type { Act, Owner } from "./analytics-model.ts";

/** A shop's calendar day of the moment $2. */
const DAY = "(SELECT ($2::timestamptz AT TIME ZONE time_zone)::date FROM shop WHERE id = $1)";

/** The owner's wishlist, locked; null when there is none. */
async function lock(
  client: PoolClient,
  shopId: number,
  owner: Owner,
  at: Date,
  create: boolean,
): Promise<number | null> {
  const { rows } = await client.query<{ id: number | null }>("SELECT id FROM wishlist_lock($1, $2, $3, $4, $5)", [
    shopId,
    owner.kind,
    owner.id,
    at,
    create,
  ]);
  return rows[0]?.id ?? null;
}

/** Takes all items out of a wishlist and logs it, as purge, erasure and login do. @returns what was taken out */
async function takeOut(client: PoolClient, shopId: number, owner: Owner, source: string, at: Date): Promise<unknown[]> {
  const wishlistId = await lock(client, shopId, owner, at, false);
  if (wishlistId === null) return [];
  const { rows } = await client.query(
    `WITH gone AS (
       DELETE FROM wishlist_item WHERE shop_id = $1 AND wishlist_id = $3 RETURNING *
     ), counted AS (
       UPDATE wishlist SET item_count = 0, version = version + 1
        WHERE shop_id = $1 AND id = $3 AND item_count > 0 RETURNING version
     ), logged AS (
       INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day)
       SELECT $1, 'removed', $4, $5, $6, $3, c.version, 0, g.product_id, g.variant_id, $2, ${DAY} FROM gone g, counted c
     )
     SELECT to_json(gone) AS item FROM gone`,
    [shopId, at, wishlistId, source, owner.kind, owner.id],
  );
  return rows.map(({ item }: { item: unknown }) => item);
}

/** The items keep the day on which they were saved, and whether they were put into the cart. */
async function login(client: PoolClient, shopId: number, guest: string, customer: string, at: Date): Promise<void> {
  const items = await takeOut(client, shopId, { kind: "guest", id: guest }, "fold", at);
  const wishlistId = await lock(client, shopId, { kind: "customer", id: customer }, at, true);
  await client.query(
    `WITH came AS (
       INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on, carted_at)
       SELECT $1, $3, product_id, variant_id, added_at, saved_on, carted_at
         FROM json_populate_recordset(NULL::wishlist_item, $4::json)
           ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
       RETURNING *
     ), counted AS (
       UPDATE wishlist SET item_count = item_count + (SELECT count(*) FROM came), version = version + 1
        WHERE shop_id = $1 AND id = $3 RETURNING *
     )
     INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                           product_id, variant_id, at, day, folded_owner_id)
     SELECT $1, 'added', 'fold', 'customer', $5::text, $3, w.version, w.item_count, product_id, variant_id, $2, ${DAY}, NULL
       FROM came, counted w
      UNION ALL
     SELECT $1, 'folded', 'fold', 'customer', $5::text, $3, w.version, w.item_count, NULL, NULL, $2, ${DAY}, $6 FROM counted w`,
    [shopId, at, wishlistId, JSON.stringify(items), customer, guest],
  );
}

/** Does in the database what an act asks for, within the client's transaction. */
export async function perform(client: PoolClient, shopId: number, act: Act, at: Date): Promise<void> {
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
      // Saved at some time before: the day that counts is that of the merge.
      const addedAt = items.map(() => new Date(at.getTime() - 5 * 86_400_000));
      return call("wishlist_merge", act.owner, products, variants, addedAt, act.source);
    }
    case "cart":
      return call("wishlist_cart", act.owner, act.item.product, act.item.variant, act.event, act.source);
    case "share": {
      const token = Buffer.from(crypto.randomUUID());
      return call("wishlist_share", act.owner, token, "sealed", act.source);
    }
    case "login":
      return login(client, shopId, act.guest, act.customer, at);
    case "clear":
      await takeOut(client, shopId, act.owner, act.source, at);
  }
}
