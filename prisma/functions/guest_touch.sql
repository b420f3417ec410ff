-- Records that a guest's list is in use although it does not change, so that guest_purge keeps it. At most once a day, so that most uses write nothing.
CREATE OR REPLACE FUNCTION guest_touch(p_shop_id bigint, p_guest_id text, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE wishlist SET updated_at = p_at
   WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id = p_guest_id AND handle = 'default' AND updated_at < p_at - interval '24 hours';
END $$;
