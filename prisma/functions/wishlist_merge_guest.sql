-- Merges a guest's lists into a customer's, once: a repeated call, or one for another customer, returns merged = false and changes nothing. The default
-- list goes into the default list, a named one into the list of the same name or a new one; into the default list when the customer has p_limit lists. An
-- item that the target has keeps its row, the others move unchanged. The cart events move too, so that a repeated event is recognized. Exceeding the
-- shop's item cap raises WL001 and changes nothing. Counts of items: added_count of all lists, count_after of the default list.
CREATE OR REPLACE FUNCTION wishlist_merge_guest(
  p_shop_id bigint, p_guest_id text, p_customer_id text, p_at timestamptz, p_limit integer DEFAULT 50,
  OUT merged boolean, OUT added_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  g wishlist;
  c wishlist;
  guest_lists bigint[];
  target text;
  added integer;
BEGIN
  merged := guest_lock(p_shop_id, p_guest_id) IS NULL;
  added_count := 0;
  count_after := 0;
  IF merged THEN
    SELECT array_agg(l.id ORDER BY l.id) INTO guest_lists
      FROM (SELECT id FROM wishlist WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id = p_guest_id ORDER BY id FOR UPDATE) AS l;
    INSERT INTO merged_guest (shop_id, guest_id, customer_id, merged_at)
    VALUES (p_shop_id, p_guest_id, p_customer_id, p_at);
  END IF;
  IF guest_lists IS NULL THEN
    SELECT item_count INTO count_after FROM wishlist
     WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id AND handle = 'default';
    count_after := coalesce(count_after, 0);
    RETURN;
  END IF;

  -- The default list first: it decides about the customer's lists.
  c := wishlist_lock(p_shop_id, 'customer', p_customer_id, p_at, true);
  PERFORM 1 FROM wishlist WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE;
  FOR n IN 1 .. cardinality(guest_lists) LOOP
    SELECT * INTO g FROM wishlist WHERE shop_id = p_shop_id AND id = guest_lists[n];
    target := 'default';
    IF g.handle <> 'default' AND g.deleted_at IS NULL THEN
      SELECT handle INTO target FROM wishlist
       WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id AND deleted_at IS NULL AND name_key = g.name_key;
      IF NOT FOUND THEN
        target := wishlist_new_handle(p_shop_id, 'customer', p_customer_id, g.handle);
        SELECT CASE WHEN outcome = 'created' THEN target ELSE 'default' END INTO target
          FROM wishlist_create_list(p_shop_id, 'customer', p_customer_id, target, g.name, g.name_key, p_limit, 'guest_merge', p_at);
      END IF;
    END IF;
    added := wishlist_merge_list(p_shop_id, g.id, p_customer_id, target, p_at);
    added_count := added_count + added;
  END LOOP;

  SELECT * INTO c FROM wishlist WHERE shop_id = p_shop_id AND id = c.id;
  count_after := c.item_count;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, merged_guest_id, wishlist_id, version, item_count, at, day)
  SELECT p_shop_id, 'merged', 'guest_merge', 'customer', p_customer_id, p_guest_id, c.id, c.version, count_after, p_at,
         (p_at AT TIME ZONE time_zone)::date
    FROM shop WHERE id = p_shop_id;
END $$;
