-- Returns the open share link of a list, or a new one with the given token. Concurrent callers get the same link.
-- p_sharer is the name that people see who open the link: '' removes it, NULL leaves it as it is. A new link of the shopper takes over the
-- name of the shopper's last link; one that staff make has none.
CREATE OR REPLACE FUNCTION wishlist_share(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_token_hash bytea, p_token_sealed text,
  p_source text, p_at timestamptz, p_list text DEFAULT 'default', p_sharer text DEFAULT NULL,
  OUT created boolean, OUT sealed text, OUT expires timestamptz, OUT sharer text
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
  link_id bigint;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, true, p_list);
  created := false;
  SELECT id, token_sealed, expires_at, shared_by INTO link_id, sealed, expires, sharer FROM share_link
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL AND expires_at > p_at;
  IF FOUND THEN
    IF p_sharer <> coalesce(sharer, '') THEN
      sharer := nullif(p_sharer, '');
      UPDATE share_link SET shared_by = sharer WHERE shop_id = p_shop_id AND id = link_id;
    END IF;
    RETURN;
  END IF;

  IF p_sharer IS NOT NULL THEN
    sharer := nullif(p_sharer, '');
  ELSIF p_source <> 'staff' THEN
    SELECT l.shared_by INTO sharer
      FROM share_link l
      JOIN wishlist o ON o.shop_id = p_shop_id AND o.id = l.wishlist_id
     WHERE l.shop_id = p_shop_id AND o.owner_kind = p_owner_kind AND o.owner_id = p_owner_id
     ORDER BY l.id DESC LIMIT 1;
  END IF;
  SELECT share_link_days, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  UPDATE share_link SET revoked_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL;
  INSERT INTO share_link (shop_id, wishlist_id, token_hash, token_sealed, created_at, expires_at, shared_by)
  VALUES (p_shop_id, w.id, p_token_hash, p_token_sealed, p_at, p_at + make_interval(days => s.share_link_days), sharer)
  RETURNING id, token_sealed, expires_at INTO link_id, sealed, expires;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                        share_link_id, at, day)
  VALUES (p_shop_id, 'shared', p_source, p_owner_kind, p_owner_id, w.id, nullif(w.handle, 'default'), w.version, w.item_count,
          link_id, p_at, s.today);
  created := true;
END $$;
