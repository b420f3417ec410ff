-- Closes the open share link of a list. revoked is false when there was none.
CREATE OR REPLACE FUNCTION wishlist_unshare(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_at timestamptz, p_list text DEFAULT 'default', OUT revoked boolean
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false, p_list);
  UPDATE share_link SET revoked_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL AND expires_at > p_at;
  revoked := FOUND;
  -- No row of the activity says so, from which the summaries would follow it.
  IF revoked THEN
    PERFORM wishlist_summarize(p_shop_id, ARRAY(SELECT y.wishlist_id FROM wishlist_summary y WHERE y.shop_id = p_shop_id AND y.wishlist_id = w.id));
  END IF;
END $$;
