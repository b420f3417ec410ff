-- Saves a line of the cart in the default list, with its quantity and properties, from the source `cart`. An item holds one set of properties, so that a
-- saved variant takes a line's properties only where it has neither a quantity nor properties. With the same properties, the item has the larger of
-- both quantities afterwards: a shopper who put the item into the cart and saves it again wants no more than before.
-- outcome: NULL, and nothing has changed, when p_cached asks for a variant of a published product in the catalog cache, which lacks it | added | updated | present (nothing to change) | differs (saved with other properties: nothing has changed) | full (the shop's item cap)
-- quantity_before, properties_before: of an item that was saved already
CREATE OR REPLACE FUNCTION wishlist_save_line(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text, p_quantity integer, p_properties jsonb,
  p_at timestamptz, p_cached boolean, p_guest_limit integer DEFAULT NULL, p_guest_origins text[] DEFAULT '{}',
  OUT outcome text, OUT count_after integer, OUT quantity_before integer, OUT properties_before jsonb
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  changes item_change[];
BEGIN
  IF p_cached THEN
    PERFORM 1 FROM product p
      WHERE p.shop_id = p_shop_id AND p.product_id = p_product_id AND p.deleted_at IS NULL AND product_is_published(p.status, p.published_at, now())
        AND (p.default_variant_id = p_variant_id
             OR EXISTS (SELECT FROM variant v WHERE v.shop_id = p_shop_id AND v.variant_id = p_variant_id AND v.product_id = p_product_id
                                                AND v.deleted_at IS NULL));
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  SELECT a.outcome, a.count_after INTO outcome, count_after
    FROM wishlist_add(p_shop_id => p_shop_id, p_owner_kind => p_owner_kind, p_owner_id => p_owner_id, p_product_id => p_product_id,
                      p_variant_id => p_variant_id, p_source => 'cart', p_at => p_at, p_guest_limit => p_guest_limit,
                      p_guest_origins => p_guest_origins,
                      p_details => jsonb_strip_nulls(jsonb_build_object('quantity', p_quantity, 'properties', p_properties))) AS a;
  IF outcome <> 'present' THEN
    RETURN;
  END IF;
  -- Locked by wishlist_add.
  SELECT * INTO STRICT w FROM wishlist
   WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id AND handle = 'default';
  SELECT quantity, properties INTO STRICT quantity_before, properties_before FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id;
  IF properties_before IS DISTINCT FROM p_properties AND (properties_before IS NOT NULL OR quantity_before IS NOT NULL) THEN
    outcome := 'differs';
    RETURN;
  END IF;
  changes := list_update_item(p_shop_id, w.id, p_product_id, p_variant_id,
                              jsonb_build_object('quantity', greatest(quantity_before, p_quantity), 'properties', p_properties), p_at);
  IF changes IS NOT NULL THEN
    PERFORM list_apply(p_shop_id, w.id, changes, 'cart', p_at);
    outcome := 'updated';
  END IF;
END $$;
