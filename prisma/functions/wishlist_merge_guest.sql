-- Merges a guest's list into a customer's, once: a repeated call, or one for another customer, returns merged = false and changes nothing. An
-- item that the customer has keeps its row, the others move unchanged. The cart events move too, so that a repeated event is recognized.
-- Exceeding the shop's item cap raises WL001 and changes nothing.
CREATE OR REPLACE FUNCTION wishlist_merge_guest(
  p_shop_id bigint, p_guest_id text, p_customer_id text, p_at timestamptz,
  OUT merged boolean, OUT added_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  g wishlist;
  c wishlist;
  removed_count integer;
BEGIN
  merged := guest_lock(p_shop_id, p_guest_id) IS NULL;
  added_count := 0;
  count_after := 0;
  IF merged THEN
    g := wishlist_lock(p_shop_id, 'guest', p_guest_id, p_at, false);
    INSERT INTO merged_guest (shop_id, guest_id, customer_id, merged_at)
    VALUES (p_shop_id, p_guest_id, p_customer_id, p_at);
  END IF;
  IF g.id IS NULL THEN
    SELECT item_count INTO count_after FROM wishlist
     WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id AND handle = 'default';
    count_after := coalesce(count_after, 0);
    RETURN;
  END IF;

  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  c := wishlist_lock(p_shop_id, 'customer', p_customer_id, p_at, true);

  -- In a CTE, because Citus can't run a plain INSERT … SELECT of a distributed table in a transaction of several statements.
  WITH logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'removed', 'guest_merge', 'guest', p_guest_id, g.id, g.version + 1, 0, product_id, variant_id, p_at, s.today
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
    RETURNING i.product_id, i.variant_id, i.seq
  ), logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'added', 'guest_merge', 'customer', p_customer_id, c.id, c.version + 1,
           c.item_count + (count(*) OVER ())::integer, product_id, variant_id, p_at, s.today
      FROM moved
     ORDER BY seq
    RETURNING 1
  )
  SELECT count(*) INTO added_count FROM logged;
  count_after := c.item_count + added_count;
  IF count_after > s.item_cap THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  IF added_count > 0 THEN
    UPDATE wishlist SET item_count = count_after, version = version + 1, updated_at = p_at
     WHERE shop_id = p_shop_id AND id = c.id;
  END IF;

  INSERT INTO cart_event (shop_id, wishlist_id, event_id, product_id, variant_id, at)
  SELECT p_shop_id, c.id, event_id, product_id, variant_id, at FROM cart_event
   WHERE shop_id = p_shop_id AND wishlist_id = g.id
      ON CONFLICT (shop_id, wishlist_id, event_id, product_id, variant_id) DO NOTHING;
  DELETE FROM cart_event WHERE shop_id = p_shop_id AND wishlist_id = g.id;

  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, merged_guest_id, wishlist_id, version, item_count, at, day)
  VALUES (p_shop_id, 'merged', 'guest_merge', 'customer', p_customer_id, p_guest_id, c.id,
          c.version + (added_count > 0)::integer, count_after, p_at, s.today);
  DELETE FROM wishlist WHERE shop_id = p_shop_id AND id = g.id;
END $$;
