-- Returns the open share link of a list, or a new one with the given token. Concurrent callers get the same link.
CREATE OR REPLACE FUNCTION wishlist_share(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_token_hash bytea, p_token_sealed text,
  p_source text, p_at timestamptz, p_list text DEFAULT 'default', OUT created boolean, OUT sealed text, OUT expires timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
  link_id bigint;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, true, p_list);
  created := false;
  SELECT token_sealed, expires_at INTO sealed, expires FROM share_link
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL AND expires_at > p_at;
  IF FOUND THEN
    RETURN;
  END IF;

  SELECT share_link_days, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  UPDATE share_link SET revoked_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL;
  INSERT INTO share_link (shop_id, wishlist_id, token_hash, token_sealed, created_at, expires_at)
  VALUES (p_shop_id, w.id, p_token_hash, p_token_sealed, p_at, p_at + make_interval(days => s.share_link_days))
  RETURNING id, token_sealed, expires_at INTO link_id, sealed, expires;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                        share_link_id, at, day)
  VALUES (p_shop_id, 'shared', p_source, p_owner_kind, p_owner_id, w.id, nullif(w.handle, 'default'), w.version, w.item_count,
          link_id, p_at, s.today);
  created := true;
END $$;
