-- Counts a new guest. Returns false, and counts nothing, when the shop has had p_limit new guests in this hour (UTC). The row stays locked until
-- the end of the transaction, so the count is exact across processes. The hour never moves back: the clocks of two machines differ.
CREATE OR REPLACE FUNCTION guest_admit(p_shop_id bigint, p_limit integer, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO guest_hour AS t (shop_id, hour, guests) VALUES (p_shop_id, date_trunc('hour', p_at, 'UTC'), 1)
      ON CONFLICT (shop_id) DO UPDATE
     SET hour = greatest(t.hour, EXCLUDED.hour), guests = CASE WHEN EXCLUDED.hour > t.hour THEN 1 ELSE t.guests + 1 END
   WHERE EXCLUDED.hour > t.hour OR t.guests < p_limit;
  RETURN FOUND;
END $$;
