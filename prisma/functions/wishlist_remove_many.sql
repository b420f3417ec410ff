-- Removes from the default list of each of several customers (arrays of equal length), in one transaction: concurrent requests share its commit. They
-- are processed in the order of the customers, as by wishlist_add_many, so that two calls never wait for each other's lists. removed_counts and counts
-- are those of wishlist_remove, in the given order.
CREATE OR REPLACE FUNCTION wishlist_remove_many(
  p_shop_id bigint, p_customer_ids text[], p_product_ids text[], p_variant_ids text[], p_sources text[], p_at timestamptz[],
  OUT removed_counts integer[], OUT counts integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  g record;
  r record;
BEGIN
  FOR g IN SELECT * FROM unnest(p_customer_ids, p_product_ids, p_variant_ids, p_sources, p_at) WITH ORDINALITY
                      AS t (customer_id, product_id, variant_id, source, at, ordinal) ORDER BY t.customer_id, t.ordinal LOOP
    SELECT * INTO r FROM wishlist_remove(p_shop_id, 'customer', g.customer_id, g.product_id, g.variant_id, g.source, g.at);
    removed_counts[g.ordinal] := r.removed_count;
    counts[g.ordinal] := r.count_after;
  END LOOP;
END $$;
