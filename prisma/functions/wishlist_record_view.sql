-- Counts a view of a share link: of the link, and of the shop's day.
CREATE OR REPLACE FUNCTION wishlist_record_view(p_shop_id bigint, p_link_id bigint, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  shop_zone text;
BEGIN
  SELECT time_zone INTO STRICT shop_zone FROM shop WHERE id = p_shop_id;
  UPDATE share_link SET views = views + 1 WHERE shop_id = p_shop_id AND id = p_link_id;
  INSERT INTO share_daily AS t (shop_id, day, views) VALUES (p_shop_id, (p_at AT TIME ZONE shop_zone)::date, 1)
      ON CONFLICT (shop_id, day) DO UPDATE SET views = t.views + EXCLUDED.views;
END $$;
