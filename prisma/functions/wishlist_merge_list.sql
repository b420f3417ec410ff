-- Moves the items of a guest's locked list into a list of a customer and deletes the guest's list: see wishlist_merge_guest. Returns how many the
-- customer's list gained.
CREATE OR REPLACE FUNCTION wishlist_merge_list(
  p_shop_id bigint, p_guest_list bigint, p_customer_id text, p_list text, p_at timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  s record;
  g wishlist;
  c wishlist;
  removed_count integer;
  added_count integer;
BEGIN
  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  SELECT * INTO g FROM wishlist WHERE shop_id = p_shop_id AND id = p_guest_list;
  c := wishlist_lock(p_shop_id, 'customer', p_customer_id, p_at, true, p_list);

  -- In a CTE, because Citus can't run a plain INSERT … SELECT of a distributed table in a transaction of several statements.
  WITH logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'removed', 'guest_merge', 'guest', g.owner_id, g.id, nullif(g.handle, 'default'), g.version + 1, 0,
           product_id, variant_id, p_at, s.today
      FROM wishlist_item
     WHERE shop_id = p_shop_id AND wishlist_id = g.id
     ORDER BY seq
    RETURNING 1
  )
  SELECT count(*) INTO removed_count FROM logged;

  WITH moved AS (
    UPDATE wishlist_item i SET wishlist_id = c.id
     WHERE i.shop_id = p_shop_id AND i.wishlist_id = g.id
       AND NOT EXISTS (SELECT 1 FROM wishlist_item k WHERE k.shop_id = p_shop_id AND k.wishlist_id = c.id
                          AND k.product_id = i.product_id AND k.variant_id = i.variant_id)
    RETURNING i.product_id, i.variant_id, i.seq, i.added_at, i.quantity, i.note, i.properties, i.position
  ), logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                          product_id, variant_id, item_seq, data, at, day)
    SELECT p_shop_id, 'added', 'guest_merge', 'customer', p_customer_id, c.id, nullif(c.handle, 'default'), c.version + 1,
           c.item_count + (count(*) OVER ())::integer, product_id, variant_id, seq,
           item_data(added_at, p_at, quantity, note, properties, position), p_at, s.today
      FROM moved
     ORDER BY seq
    RETURNING 1
  )
  SELECT count(*) INTO added_count FROM logged;
  IF added_count > 0 AND c.item_count + added_count > s.item_cap THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  IF added_count > 0 THEN
    UPDATE wishlist SET item_count = c.item_count + added_count, version = version + 1, updated_at = p_at,
                        has_details = has_details OR g.has_details
     WHERE shop_id = p_shop_id AND id = c.id;
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
