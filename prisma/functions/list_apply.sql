-- Completes a change of a locked list whose items the caller has written: gives the list its new item count and version, and appends the changes of the
-- items to the activity, in their order. p_list is the list as it was before, p_detailed whether items with details may have come.
CREATE OR REPLACE FUNCTION list_apply(
  p_shop_id bigint, p_list wishlist, p_changes item_change[], p_count integer, p_detailed boolean, p_source text, p_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date;
BEGIN
  SELECT (p_at AT TIME ZONE time_zone)::date INTO STRICT today FROM shop WHERE id = p_shop_id;
  UPDATE wishlist SET item_count = p_count, version = version + 1, updated_at = p_at, has_details = has_details OR p_detailed
   WHERE shop_id = p_shop_id AND id = p_list.id;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                        product_id, variant_id, item_seq, data, before, at, day)
  SELECT p_shop_id, c.kind, p_source, p_list.owner_kind, p_list.owner_id, p_list.id, nullif(p_list.handle, 'default'), p_list.version + 1, p_count,
         c.product_id, c.variant_id, c.item_seq, c.data, c.before, p_at, today
    FROM unnest(p_changes) WITH ORDINALITY AS c (kind, product_id, variant_id, item_seq, data, before, place)
   ORDER BY c.place;
END $$;
