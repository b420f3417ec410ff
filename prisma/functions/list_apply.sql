-- Completes a change of a locked list whose items the caller has written: gives the list its new item count and version, and appends the changes to the
-- activity, in their order. A list that grows beyond the shop's item cap raises WL001. A change without a product is one of the list itself, whose name
-- and position it gets. Written elsewhere: what makes no version and has columns of its own (wishlist_share, wishlist_record_cart, the end of
-- wishlist_merge_guest), and the item of wishlist_add.
CREATE OR REPLACE FUNCTION list_apply(
  p_shop_id bigint, p_wishlist_id bigint, p_changes item_change[], p_source text, p_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
BEGIN
  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today, n.gained, n.detailed INTO STRICT s
    FROM shop, (SELECT (count(*) FILTER (WHERE kind = 'added') - count(*) FILTER (WHERE kind = 'removed'))::integer AS gained,
                       coalesce(bool_or(kind IN ('added', 'updated') AND data - 'addedAt' <> '{}'), false) AS detailed
                  FROM unnest(p_changes)) AS n
   WHERE id = p_shop_id;
  UPDATE wishlist SET item_count = item_count + s.gained, version = version + 1, updated_at = p_at, has_details = has_details OR s.detailed
   WHERE shop_id = p_shop_id AND id = p_wishlist_id
  RETURNING * INTO STRICT w;
  IF s.gained > 0 AND w.item_count > s.item_cap THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                        product_id, variant_id, item_seq, data, before, at, day)
  SELECT p_shop_id, kind, p_source, w.owner_kind, w.owner_id, w.id, nullif(w.handle, 'default'), w.version, coalesce(c.item_count, w.item_count),
         product_id, variant_id, item_seq,
         CASE WHEN product_id IS NULL THEN jsonb_strip_nulls(jsonb_build_object('name', w.name, 'position', w.position)) ELSE data END,
         before, p_at, s.today
    FROM unnest(p_changes) AS c;
END $$;
