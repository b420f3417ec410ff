// A bare `node:http` + `pg` server that fetches rows and converts them to JSON in JavaScript.
import { bareServer } from "./bare/server.ts";

interface Row {
  item_count: number;
  // null in the single row of a wishlist without items on this page
  product_id: string | null;
  variant_id: string;
  added_at: Date;
}

// Wishlist and items in one round trip.
const TEXT = `
  SELECT w.item_count, i.product_id, i.variant_id, i.added_at
    FROM wishlist w
    LEFT JOIN LATERAL (SELECT product_id, variant_id, added_at, seq FROM wishlist_item
                        WHERE shop_id = w.shop_id AND wishlist_id = w.id
                        ORDER BY added_at DESC, seq DESC LIMIT $3 OFFSET $4) i ON true
   WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = $2 AND w.handle = 'default'
   ORDER BY i.added_at DESC, i.seq DESC`;

bareServer(async (pool, { shopId, customerId, limit, offset }) => {
  const { rows } = await pool.query<Row>({ name: "page", text: TEXT, values: [shopId, customerId, limit, offset] });
  const total = rows[0]?.item_count ?? 0;
  const items = rows
    .filter((row) => row.product_id !== null)
    .map((row) => ({ productId: row.product_id, variantId: row.variant_id, addedAt: row.added_at }));
  const count = items.length;
  return JSON.stringify({ items, count, total, has_more: offset + count < total });
});
