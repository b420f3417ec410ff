-- Appends a change of a list itself, as it is now, to the activity. kind: list_created | list_renamed | list_moved | list_deleted
CREATE OR REPLACE FUNCTION wishlist_log_list(
  p_shop_id bigint, p_wishlist_id bigint, p_kind text, p_source text, p_at timestamptz, p_before jsonb
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count, data, before, at, day)
  SELECT p_shop_id, p_kind, p_source, w.owner_kind, w.owner_id, w.id, nullif(w.handle, 'default'), w.version, w.item_count,
         jsonb_strip_nulls(jsonb_build_object('name', w.name, 'position', w.position)), p_before, p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM wishlist w JOIN shop s ON s.id = p_shop_id
   WHERE w.shop_id = p_shop_id AND w.id = p_wishlist_id;
END $$;
