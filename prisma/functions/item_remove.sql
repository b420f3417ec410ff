-- Removes items of a locked list and appends them to the activity: one variant, every variant of a product without p_variant_id, everything without
-- p_product_id. p_count is the list's item count before; p_version the version that the change makes. Returns the number of removed items.
CREATE OR REPLACE FUNCTION item_remove(
  p_shop_id bigint, p_wishlist_id bigint, p_version bigint, p_count integer, p_product_id text, p_variant_id text, p_source text, p_at timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  products text[];
  variants text[];
  snapshots jsonb[];
BEGIN
  -- A list that does not exist. Citus fails on a DELETE in a CTE that can match no row.
  IF p_wishlist_id IS NULL THEN
    RETURN 0;
  END IF;
  WITH deleted AS (
    DELETE FROM wishlist_item
     WHERE shop_id = p_shop_id AND wishlist_id = p_wishlist_id
       AND (p_product_id IS NULL OR product_id = p_product_id) AND (p_variant_id IS NULL OR variant_id = p_variant_id)
    RETURNING product_id, variant_id, seq,
              item_snapshot(added_at, seq, saved_on, carted_at, quantity, note, properties, position, saved_price) AS snapshot
  )
  SELECT array_agg(product_id ORDER BY seq), array_agg(variant_id ORDER BY seq), array_agg(snapshot ORDER BY seq)
    INTO products, variants, snapshots FROM deleted;
  IF products IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                        product_id, variant_id, before, at, day)
  SELECT p_shop_id, 'removed', p_source, w.owner_kind, w.owner_id, w.id, nullif(w.handle, 'default'), p_version,
         greatest(p_count - cardinality(products), 0), r.product_id, r.variant_id, r.snapshot, p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM shop s, wishlist w, unnest(products, variants, snapshots) AS r (product_id, variant_id, snapshot)
   WHERE s.id = p_shop_id AND w.shop_id = p_shop_id AND w.id = p_wishlist_id;
  RETURN cardinality(products);
END $$;
