// A bare `node:http` + `pg` server whose JSON is built by PostgreSQL, as in app/wishlists/items/read.server.ts.
import { bareServer } from "./bare/server.ts";

interface Row {
  item_count: number;
  items: string;
}

const TEXT = `
  SELECT w.item_count,
         (SELECT '[' || coalesce(string_agg(
                   '{"productId":' || to_json(i.product_id) || ',"variantId":' || to_json(i.variant_id) ||
                   ',"addedAt":"' || to_char(i.added_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}', ','), '') || ']'
            FROM (SELECT product_id, variant_id, added_at FROM wishlist_item
                   WHERE shop_id = w.shop_id AND wishlist_id = w.id
                   ORDER BY added_at DESC, seq DESC LIMIT $3 OFFSET $4) i) AS items
    FROM wishlist w
   WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = $2 AND w.handle = 'default'`;

bareServer(async (pool, { shopId, customerId, limit, offset }) => {
  const { rows } = await pool.query<Row>({ name: "page", text: TEXT, values: [shopId, customerId, limit, offset] });
  const { item_count: total, items } = rows[0] ?? { item_count: 0, items: "[]" };
  const count = Math.max(0, Math.min(limit, total - offset));
  return `{"items":${items},"count":${count},"total":${total},"has_more":${offset + count < total}}`;
});
