-- Changes details of an item of a locked list. p_changes has the details that change, by the names of their columns (without "" or {}); JSON null clears
-- one. Returns the change for list_apply, NULL when nothing has changed. Without the item error WL007, without p_variant_id for a product that is saved in
-- several variants error WL010, both with p_place in the message.
CREATE OR REPLACE FUNCTION list_update_item(
  p_shop_id bigint, p_wishlist_id bigint, p_product_id text, p_variant_id text, p_changes jsonb, p_at timestamptz, p_place integer DEFAULT 0
) RETURNS item_change[] LANGUAGE plpgsql AS $$
DECLARE
  i wishlist_item;
  o wishlist_item;
  found_items integer;
BEGIN
  SELECT count(*) INTO found_items FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = p_wishlist_id AND product_id = p_product_id AND (p_variant_id IS NULL OR variant_id = p_variant_id);
  IF found_items = 0 THEN
    RAISE EXCEPTION 'the list does not have the item at place %', p_place USING ERRCODE = 'WL007';
  ELSIF found_items > 1 THEN
    RAISE EXCEPTION 'the list has several variants of the product at place %', p_place USING ERRCODE = 'WL010';
  END IF;
  SELECT * INTO o FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = p_wishlist_id AND product_id = p_product_id AND (p_variant_id IS NULL OR variant_id = p_variant_id);
  i := jsonb_populate_record(o, p_changes);
  IF i IS NOT DISTINCT FROM o THEN
    RETURN NULL;
  END IF;
  UPDATE wishlist_item SET quantity = i.quantity, note = i.note, properties = i.properties, position = i.position
   WHERE shop_id = p_shop_id AND wishlist_id = p_wishlist_id AND product_id = o.product_id AND variant_id = o.variant_id;
  RETURN ARRAY[ROW('updated', o.product_id, o.variant_id, o.seq, item_snapshot_data(item_row_snapshot(i), p_at),
                   item_row_snapshot(o), NULL)::item_change];
END $$;
