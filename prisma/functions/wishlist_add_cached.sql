-- Adds to a list a variant, or the default variant, of a product that is published according to the catalog cache, by its id or its handle. Without a
-- variant, a product that is saved in any variant is present, so that an outdated page does not save it twice.
-- product_id: NULL, and nothing has changed, when the cache has no such published product or variant
-- outcome, count_after, saved_variant_id: as those of wishlist_add
-- total_after: saved variants in all lists of the owner, each once; has_named_lists: whether there are others than the default list
CREATE OR REPLACE FUNCTION wishlist_add_cached(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_handle text, p_variant_id text,
  p_source text, p_at timestamptz, p_guest_limit integer, p_list text DEFAULT 'default', p_guest_origins text[] DEFAULT '{}',
  OUT product_id text, OUT variant_id text, OUT outcome text, OUT count_after integer, OUT saved_variant_id text,
  OUT total_after integer, OUT has_named_lists boolean
) LANGUAGE plpgsql AS $$
DECLARE
  found_product text;
  default_variant text;
BEGIN
  -- A handle can move from one product to another: the product that was refreshed last has it.
  SELECT p.product_id, p.default_variant_id INTO found_product, default_variant FROM product p
   WHERE p.shop_id = p_shop_id AND p.deleted_at IS NULL AND (p.product_id = p_product_id OR p.handle = p_handle)
     AND product_is_published(p.status, p.published_at, now())
   ORDER BY p.seen_at DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  variant_id := coalesce(p_variant_id, default_variant);
  IF variant_id <> default_variant THEN
    PERFORM 1 FROM variant v
      WHERE v.shop_id = p_shop_id AND v.variant_id = p_variant_id AND v.product_id = found_product AND v.deleted_at IS NULL;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  product_id := found_product;
  SELECT a.outcome, a.count_after, a.saved_variant_id INTO outcome, count_after, saved_variant_id
    FROM wishlist_add(p_shop_id => p_shop_id, p_owner_kind => p_owner_kind, p_owner_id => p_owner_id, p_product_id => found_product,
                      p_variant_id => variant_id, p_source => p_source, p_at => p_at, p_guest_limit => p_guest_limit,
                      p_any_variant => p_variant_id IS NULL, p_list => p_list, p_guest_origins => p_guest_origins) AS a;
  SELECT CASE WHEN count(*) FILTER (WHERE w.item_count > 0) > 1
              THEN (SELECT count(*)
                      FROM (SELECT DISTINCT i.product_id, i.variant_id FROM wishlist o
                              JOIN wishlist_item i ON i.shop_id = p_shop_id AND i.wishlist_id = o.id
                             WHERE o.shop_id = p_shop_id AND o.owner_kind = p_owner_kind AND o.owner_id = p_owner_id AND o.deleted_at IS NULL) AS v)
              ELSE coalesce(sum(w.item_count), 0) END::integer,
         coalesce(bool_or(w.handle <> 'default'), false)
    INTO total_after, has_named_lists
    FROM wishlist w
   WHERE w.shop_id = p_shop_id AND w.owner_kind = p_owner_kind AND w.owner_id = p_owner_id AND w.deleted_at IS NULL;
END $$;
