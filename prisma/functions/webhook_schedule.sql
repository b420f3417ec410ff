-- Makes endpoints due, because they have new deliveries: now, or with p_ignore_backoff false when their back-off ends.
CREATE OR REPLACE FUNCTION webhook_schedule(p_shop_id bigint, p_endpoints text[], p_ignore_backoff boolean DEFAULT true)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz;
BEGIN
  PERFORM 1 FROM webhook_endpoint WHERE shop_id = p_shop_id AND id = ANY (p_endpoints) ORDER BY id FOR NO KEY UPDATE;
  -- Citus allows no volatile function in an UPDATE.
  due := clock_timestamp();
  UPDATE webhook_endpoint
     SET due_at = CASE WHEN p_ignore_backoff THEN due ELSE greatest(backoff_until, due) END
   WHERE shop_id = p_shop_id AND id = ANY (p_endpoints)
     AND (due_at IS NULL OR due_at > CASE WHEN p_ignore_backoff THEN due ELSE greatest(backoff_until, due) END);
END $$;
