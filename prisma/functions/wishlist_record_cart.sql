-- Records that a saved variant was put into the cart, once per item and event id. outcome: recorded | repeated | not_saved
CREATE OR REPLACE FUNCTION wishlist_record_cart(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_event_id text, p_source text, p_at timestamptz, OUT outcome text
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  i wishlist_item;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  SELECT * INTO i FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id;
  IF NOT FOUND THEN
    outcome := 'not_saved';
    RETURN;
  END IF;

  INSERT INTO cart_event (shop_id, wishlist_id, event_id, product_id, variant_id, at)
  VALUES (p_shop_id, w.id, p_event_id, p_product_id, p_variant_id, p_at)
      ON CONFLICT (shop_id, wishlist_id, event_id, product_id, variant_id) DO NOTHING;
  IF NOT FOUND THEN
    outcome := 'repeated';
    RETURN;
  END IF;

  UPDATE wishlist_item SET carted_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id
     AND carted_at IS NULL;
  -- Only an item's first cart event names saved_on, the day whose cohort gains.
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, saved_on, at, day)
  SELECT p_shop_id, 'carted', p_source, p_owner_kind, p_owner_id, w.id, w.version, w.item_count,
         p_product_id, p_variant_id, CASE WHEN i.carted_at IS NULL THEN i.saved_on END,
         p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM shop s
   WHERE s.id = p_shop_id;
  outcome := 'recorded';
END $$;
