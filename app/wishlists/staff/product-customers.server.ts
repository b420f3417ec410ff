import { run, shopStatement } from "../../platform/database/database.server.ts";
import type { ProductCustomer, ProductCustomers } from "./view.ts";

/** Saved items of a product that are ordered. Of a product that is saved more often, any so many are. */
const ITEMS = 20_000;

type Row = Omit<ProductCustomer, "wishlistId"> & {
  wishlistId: number;
  customers: number;
  guests: number;
  more: boolean;
};

// One row says how many there are when the page has none.
const customersStatement = shopStatement<Row | { customerId: null; customers: number; guests: number; more: boolean }>(
  "wishlist_product_customers",
  `WITH found AS MATERIALIZED (
     SELECT wishlist_id, variant_id, added_at, seq, quantity, saved_price FROM wishlist_item
      WHERE shop_id = $1 AND product_id = $2 LIMIT $3::integer + 1
   ), owned AS MATERIALIZED (
     SELECT f.*, w.owner_kind, w.owner_id, w.name, w.handle
       FROM (SELECT * FROM found LIMIT $3::integer) AS f
       JOIN wishlist w ON w.shop_id = $1 AND w.id = f.wishlist_id AND w.deleted_at IS NULL
   ), page AS MATERIALIZED (
     SELECT * FROM owned WHERE owner_kind = 'customer' ORDER BY added_at DESC, seq DESC LIMIT $4::integer OFFSET $5::integer
   )
   SELECT t.customers, t.guests, t.more, p.owner_id AS "customerId", p.wishlist_id AS "wishlistId",
          p.name AS "listName", p.handle = 'default' AS "isDefault", p.variant_id AS "variantId", v.title AS "variantTitle",
          p.added_at AS "savedAt", coalesce(p.quantity, 1) AS quantity, amount_text(p.saved_price, (SELECT currency FROM shop WHERE id = $1)) AS "savedPrice",
          ARRAY(SELECT c.kind FROM (SELECT DISTINCT ON (kind) kind, given FROM alert_consent
                                     WHERE shop_id = $1 AND customer_id = p.owner_id ORDER BY kind, id DESC) AS c
                 WHERE c.given ORDER BY c.kind) AS alerts
     FROM (SELECT count(DISTINCT owner_id) FILTER (WHERE owner_kind = 'customer')::integer AS customers,
                  count(DISTINCT owner_id) FILTER (WHERE owner_kind = 'guest')::integer AS guests,
                  (SELECT count(*) FROM found) > $3::integer AS more
             FROM owned) AS t
     LEFT JOIN page p ON true
     LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = p.variant_id AND v.product_id = $2
    ORDER BY p.added_at DESC, p.seq DESC`,
);

/**
 * Returns the customers who have a product in a list now, newest save first. A customer who has it several times has a row for each.
 * @param items maximum saved items that are ordered and counted
 */
export async function customersOfProduct(
  shopId: number,
  productId: string,
  { limit, offset, items = ITEMS }: { limit: number; offset: number; items?: number },
): Promise<ProductCustomers> {
  const rows = await run(customersStatement, [shopId, productId, items, limit + 1, offset]);
  const { customers = 0, guests = 0, more = false } = rows[0] ?? {};
  const listed = rows.flatMap((row) =>
    row.customerId === null ? [] : [{ ...row, wishlistId: String(row.wishlistId) }],
  );
  return { listed: listed.slice(0, limit), hasNext: listed.length > limit, customers, guests, more };
}
