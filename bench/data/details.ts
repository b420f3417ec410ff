import { withClient, type Dataset } from "./dataset.ts";
import { longCustomers } from "./shape.ts";

/**
 * Gives every item of the long wishlists a quantity and a note, and the catalog its products, so that expanded pages of them have both. The other
 * wishlists stay as they were loaded.
 * @returns the customers
 */
export async function describeLongWishlists({ url, shopId, shape }: Dataset): Promise<string[]> {
  const customers = longCustomers(shape);
  await withClient(url, async (client) => {
    const lists =
      "SELECT id FROM wishlist WHERE shop_id = $1 AND owner_kind = 'customer' AND owner_id = ANY ($2::text[])";
    await client.query(
      `UPDATE wishlist_item SET quantity = 2, note = 'For the trip in May', saved_price = 149
        WHERE shop_id = $1 AND wishlist_id IN (${lists}) AND quantity IS NULL`,
      [shopId, customers],
    );
    await client.query(`UPDATE wishlist SET has_details = true WHERE shop_id = $1 AND id IN (${lists})`, [
      shopId,
      customers,
    ]);
    await client.query(
      `INSERT INTO product (shop_id, product_id, handle, title, image_url, default_variant_id, updated_at, status, published_at, ever_published)
       SELECT DISTINCT $1::bigint, i.product_id, 'product-' || i.product_id, 'Fell shell jacket ' || i.product_id,
              'https://cdn.shopify.com/s/files/1/' || i.product_id || '.jpg', i.variant_id, now(), 'ACTIVE', now() - interval '1 day', true
         FROM wishlist_item i WHERE i.shop_id = $1 AND i.wishlist_id IN (${lists})
           ON CONFLICT DO NOTHING`,
      [shopId, customers],
    );
    await client.query(
      `INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
       SELECT shop_id, default_variant_id, product_id, 'M / Pine', 129, true, 1 FROM product WHERE shop_id = $1
           ON CONFLICT DO NOTHING`,
      [shopId],
    );
    await client.query("UPDATE shop SET currency = 'EUR', plan = 'growth' WHERE id = $1", [shopId]);
    for (const table of ["wishlist", "wishlist_item", "product", "variant"])
      await client.query(`VACUUM (ANALYZE) ${table}`);
  });
  return customers;
}
