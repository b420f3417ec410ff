-- Sets when a shop's alerts have something to do next, apart from changes of the catalog: an open occurrence, or a pending alert outside of the quiet
-- hours. To be called by a transaction that opens an occurrence, and when there is nothing to do at that time. The time may be too early, never too late.
CREATE OR REPLACE FUNCTION alert_schedule(p_shop_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  paused timestamptz;
  next_at timestamptz;
BEGIN
  -- The lock makes the later one of two transactions see the occurrences of the earlier one.
  SELECT a.paused_until INTO paused FROM alert_settings a WHERE a.shop_id = p_shop_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT least(
    (SELECT min(o.due_at) FROM alert_occurrence o WHERE o.shop_id = p_shop_id AND o.status = 'open'),
    (SELECT greatest(t.due_at, paused) FROM alert t WHERE t.shop_id = p_shop_id AND t.status = 'pending' ORDER BY t.due_at LIMIT 1)) INTO next_at;
  UPDATE alert_settings SET due_at = next_at WHERE shop_id = p_shop_id AND due_at IS DISTINCT FROM next_at;
END $$;
