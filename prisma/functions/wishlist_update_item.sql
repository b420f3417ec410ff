-- Changes details of an item: see list_update_item. The result is the item afterwards: its details, and for the release before four of them apart.
CREATE OR REPLACE FUNCTION wishlist_update_item(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text, p_changes jsonb,
  p_source text, p_at timestamptz, p_list text DEFAULT 'default',
  OUT updated boolean, OUT variant_id text, OUT added_at timestamptz, OUT quantity integer, OUT note text, OUT properties jsonb, OUT item_position double precision,
  OUT details jsonb
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  changes item_change[];
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false, p_list);
  changes := list_update_item(p_shop_id, w.id, p_product_id, p_variant_id, p_changes, p_at);
  updated := changes IS NOT NULL;
  IF updated THEN
    PERFORM list_apply(p_shop_id, w.id, changes, p_source, p_at);
  END IF;
  SELECT i.variant_id, i.added_at, i.quantity, i.note, i.properties, i.position, CASE WHEN updated THEN coalesce((changes[1]).data, '{}') ELSE item_row_snapshot(i) END
    INTO variant_id, added_at, quantity, note, properties, item_position, details
    FROM wishlist_item i
   WHERE i.shop_id = p_shop_id AND i.wishlist_id = w.id AND i.product_id = p_product_id AND (p_variant_id IS NULL OR i.variant_id = p_variant_id);
END $$;
