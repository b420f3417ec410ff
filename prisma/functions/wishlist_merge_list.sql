-- Moves the items of a guest's locked list into a list of a customer and deletes the guest's list: see wishlist_merge_guest. Returns how many the
-- customer's list gained.
CREATE OR REPLACE FUNCTION wishlist_merge_list(
  p_shop_id bigint, p_guest_list bigint, p_customer_id text, p_list text, p_at timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  g wishlist;
  c wishlist;
  changes item_change[];
  added_count integer;
BEGIN
  SELECT * INTO g FROM wishlist WHERE shop_id = p_shop_id AND id = p_guest_list;
  c := wishlist_lock(p_shop_id, 'customer', p_customer_id, p_at, true, p_list);

  SELECT array_agg(ROW('removed', product_id, variant_id, NULL, NULL, NULL, NULL)::item_change ORDER BY seq) INTO changes
    FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = g.id;
  PERFORM list_apply(p_shop_id, g.id, changes, 'guest_merge', p_at);

  WITH moved AS (
    UPDATE wishlist_item i SET wishlist_id = c.id
     WHERE i.shop_id = p_shop_id AND i.wishlist_id = g.id
       AND NOT EXISTS (SELECT 1 FROM wishlist_item k WHERE k.shop_id = p_shop_id AND k.wishlist_id = c.id
                          AND k.product_id = i.product_id AND k.variant_id = i.variant_id)
    RETURNING i.product_id, i.variant_id, i.seq, item_row_snapshot(i) AS snapshot
  )
  SELECT array_agg(ROW('added', product_id, variant_id, seq, item_snapshot_data(snapshot, p_at), NULL, NULL)::item_change ORDER BY seq), count(*)
    INTO changes, added_count FROM moved;
  IF added_count > 0 THEN
    PERFORM list_apply(p_shop_id, c.id, changes, 'guest_merge', p_at);
  END IF;

  INSERT INTO cart_event (shop_id, wishlist_id, event_id, product_id, variant_id, at)
  SELECT p_shop_id, c.id, event_id, product_id, variant_id, at FROM cart_event
   WHERE shop_id = p_shop_id AND wishlist_id = g.id
      ON CONFLICT (shop_id, wishlist_id, event_id, product_id, variant_id) DO NOTHING;
  DELETE FROM cart_event WHERE shop_id = p_shop_id AND wishlist_id = g.id;
  PERFORM history_clear_details(p_shop_id, ARRAY[g.id]);
  DELETE FROM wishlist WHERE shop_id = p_shop_id AND id = g.id;
  RETURN added_count;
END $$;
