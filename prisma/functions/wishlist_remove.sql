-- Removes one variant, or every variant of the product when p_variant_id is NULL. Writes one activity row per removed row.
CREATE OR REPLACE FUNCTION wishlist_remove(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_source text, p_at timestamptz, OUT removed_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  removed_variants text[];
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  removed_count := 0;
  count_after := coalesce(w.item_count, 0);
  IF w.id IS NULL THEN
    RETURN;
  END IF;

  WITH deleted AS (
    DELETE FROM wishlist_item
     WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id
       AND (p_variant_id IS NULL OR variant_id = p_variant_id)
    RETURNING variant_id, seq
  )
  SELECT array_agg(variant_id ORDER BY seq) INTO removed_variants FROM deleted;
  removed_count := coalesce(cardinality(removed_variants), 0);
  IF removed_count = 0 THEN
    RETURN;
  END IF;

  count_after := w.item_count - removed_count;
  UPDATE wishlist SET item_count = count_after, version = version + 1, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = w.id;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, at, day)
  SELECT p_shop_id, 'removed', p_source, p_owner_kind, p_owner_id, w.id, w.version + 1, count_after,
         p_product_id, v, p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM shop s, unnest(removed_variants) AS v
   WHERE s.id = p_shop_id;
END $$;
