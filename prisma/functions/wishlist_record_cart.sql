-- Records that a saved variant was put into the cart, once per owner, variant and event id: in the first of the owner's lists that has the variant.
-- outcome: recorded | repeated | not_saved
CREATE OR REPLACE FUNCTION wishlist_record_cart(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_event_id text, p_source text, p_at timestamptz, OUT outcome text
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  i wishlist_item;
  lists bigint[];
BEGIN
  -- All lists are locked in the order of their ids, because the variants of one cart event can be in several lists.
  PERFORM wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  SELECT array_agg(l.id) INTO lists
    FROM (SELECT id FROM wishlist WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id
           ORDER BY id FOR NO KEY UPDATE) AS l;
  SELECT l.* INTO w FROM wishlist l JOIN wishlist_item k ON k.shop_id = p_shop_id AND k.wishlist_id = l.id
   WHERE l.shop_id = p_shop_id AND l.id = ANY (lists) AND l.deleted_at IS NULL AND k.product_id = p_product_id AND k.variant_id = p_variant_id
   ORDER BY l.handle <> 'default', l.position, l.id LIMIT 1;
  IF NOT FOUND THEN
    outcome := 'not_saved';
    RETURN;
  END IF;
  -- The variant may have left the list in which the event was recorded.
  PERFORM 1 FROM cart_event
    WHERE shop_id = p_shop_id AND wishlist_id = ANY (lists) AND event_id = p_event_id AND product_id = p_product_id AND variant_id = p_variant_id
    LIMIT 1;
  IF FOUND THEN
    outcome := 'repeated';
    RETURN;
  END IF;

  INSERT INTO cart_event (shop_id, wishlist_id, event_id, product_id, variant_id, at)
  VALUES (p_shop_id, w.id, p_event_id, p_product_id, p_variant_id, p_at);
  SELECT * INTO i FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id;
  -- After a move and a restore of the first list, two lists have the same save: it counts once.
  UPDATE wishlist_item SET carted_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = ANY (lists) AND product_id = p_product_id AND variant_id = p_variant_id
     AND seq = i.seq AND carted_at IS NULL;
  -- Only an item's first cart event names saved_on, the day whose cohort gains.
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                        product_id, variant_id, saved_on, at, day)
  SELECT p_shop_id, 'carted', p_source, p_owner_kind, p_owner_id, w.id, nullif(w.handle, 'default'), w.version, w.item_count,
         p_product_id, p_variant_id, CASE WHEN i.carted_at IS NULL THEN i.saved_on END,
         p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM shop s
   WHERE s.id = p_shop_id;
  outcome := 'recorded';
END $$;
