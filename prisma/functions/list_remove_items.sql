-- Removes items of a locked list: one variant, every variant of a product without p_variant_id, everything without p_product_id. Returns the changes for
-- list_apply, NULL without any.
CREATE OR REPLACE FUNCTION list_remove_items(
  p_shop_id bigint, p_wishlist_id bigint, p_product_id text, p_variant_id text
) RETURNS item_change[] LANGUAGE plpgsql AS $$
DECLARE
  changes item_change[];
BEGIN
  -- A list that does not exist. Citus fails on a DELETE in a CTE that can match no row.
  IF p_wishlist_id IS NULL THEN
    RETURN NULL;
  END IF;
  WITH deleted AS (
    DELETE FROM wishlist_item i
     WHERE shop_id = p_shop_id AND wishlist_id = p_wishlist_id
       AND (p_product_id IS NULL OR product_id = p_product_id) AND (p_variant_id IS NULL OR variant_id = p_variant_id)
    RETURNING product_id, variant_id, seq, item_row_snapshot(i) AS snapshot
  )
  SELECT array_agg(ROW('removed', product_id, variant_id, NULL, NULL, snapshot, NULL)::item_change ORDER BY seq) INTO changes FROM deleted;
  RETURN changes;
END $$;
