-- Removes from a list one variant, or every variant of the product when p_variant_id is NULL. Writes one activity row per removed row.
CREATE OR REPLACE FUNCTION wishlist_remove(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_source text, p_at timestamptz, p_list text DEFAULT 'default', OUT removed_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  changes item_change[];
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false, p_list);
  removed_count := 0;
  count_after := coalesce(w.item_count, 0);
  IF w.id IS NULL THEN
    RETURN;
  END IF;
  changes := list_remove_items(p_shop_id, w.id, p_product_id, p_variant_id);
  IF changes IS NULL THEN
    RETURN;
  END IF;
  removed_count := cardinality(changes);
  count_after := w.item_count - removed_count;
  PERFORM list_apply(p_shop_id, w.id, changes, p_source, p_at);
END $$;
