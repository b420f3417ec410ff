-- Adds one item to the default list of each of several customers (arrays of equal length), in one transaction: concurrent requests share its commit.
-- They are processed in the order of the customers, so that two calls never wait for each other's lists. outcomes, counts and saved_variant_ids are
-- those of wishlist_add, in the given order.
CREATE OR REPLACE FUNCTION wishlist_add_many(
  p_shop_id bigint, p_customer_ids text[], p_product_ids text[], p_variant_ids text[], p_sources text[], p_at timestamptz[],
  OUT outcomes text[], OUT counts integer[], OUT saved_variant_ids text[]
) LANGUAGE plpgsql AS $$
DECLARE
  g record;
  a record;
BEGIN
  FOR g IN SELECT * FROM unnest(p_customer_ids, p_product_ids, p_variant_ids, p_sources, p_at) WITH ORDINALITY
                      AS t (customer_id, product_id, variant_id, source, at, ordinal) ORDER BY t.customer_id, t.ordinal LOOP
    SELECT * INTO a FROM wishlist_add(p_shop_id, 'customer', g.customer_id, g.product_id, g.variant_id, g.source, g.at);
    outcomes[g.ordinal] := a.outcome;
    counts[g.ordinal] := a.count_after;
    saved_variant_ids[g.ordinal] := a.saved_variant_id;
  END LOOP;
END $$;
