-- Adds a variant to a list. p_details are the details by the names of their columns, without null, or NULL for none; p_quantity, p_note and p_properties
-- are those of the release before. A guest without a list counts as a new guest (wishlist_lock). With p_any_variant, for a shopper who names no variant, a
-- product that is saved in any variant is present.
-- outcome: added | present | full (the shop's item cap)
-- saved_variant_id: the variant that was added or is present
CREATE OR REPLACE FUNCTION wishlist_add(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_source text, p_at timestamptz, p_guest_limit integer DEFAULT NULL,
  p_any_variant boolean DEFAULT false, p_list text DEFAULT 'default', p_quantity integer DEFAULT NULL, p_note text DEFAULT NULL,
  p_properties jsonb DEFAULT NULL, p_guest_origins text[] DEFAULT '{}', p_details jsonb DEFAULT NULL,
  OUT outcome text, OUT count_after integer, OUT saved_variant_id text
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
  current_price numeric;
  saved_seq bigint;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, true, p_list, p_guest_limit, p_guest_origins);
  count_after := w.item_count;

  SELECT (SELECT i.variant_id FROM wishlist_item i
           WHERE i.shop_id = p_shop_id AND i.wishlist_id = w.id AND i.product_id = p_product_id
             AND (p_any_variant OR i.variant_id = p_variant_id)
           ORDER BY i.variant_id = p_variant_id DESC, i.added_at DESC, i.seq DESC LIMIT 1),
         (SELECT v.price FROM variant v
           WHERE v.shop_id = p_shop_id AND v.variant_id = p_variant_id AND v.product_id = p_product_id AND v.deleted_at IS NULL)
    INTO saved_variant_id, current_price;
  IF saved_variant_id IS NOT NULL THEN
    outcome := 'present';
    RETURN;
  END IF;

  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  IF w.item_count >= s.item_cap THEN
    outcome := 'full';
    RETURN;
  END IF;

  IF num_nonnulls(p_quantity, p_note, p_properties) > 0 THEN
    p_details := jsonb_strip_nulls(jsonb_build_object('quantity', p_quantity, 'note', p_note, 'properties', p_properties));
  END IF;
  INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on, quantity, note, properties, position, saved_price)
  VALUES (p_shop_id, w.id, p_product_id, p_variant_id, p_at, s.today, (p_details ->> 'quantity')::integer, p_details ->> 'note', p_details -> 'properties',
          (p_details ->> 'position')::double precision, current_price)
  RETURNING seq INTO saved_seq;
  -- As list_apply does, which would cost an add a fifth of its rate.
  UPDATE wishlist SET item_count = item_count + 1, version = version + 1, updated_at = p_at, has_details = has_details OR p_details IS NOT NULL
   WHERE shop_id = p_shop_id AND id = w.id;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                        product_id, variant_id, item_seq, data, at, day)
  VALUES (p_shop_id, 'added', p_source, p_owner_kind, p_owner_id, w.id, nullif(w.handle, 'default'), w.version + 1, w.item_count + 1,
          p_product_id, p_variant_id, saved_seq, p_details, p_at, s.today);
  outcome := 'added';
  saved_variant_id := p_variant_id;
  count_after := w.item_count + 1;
END $$;
