-- Sets when an endpoint is next due, once its lease's holder finds nothing left to send. Returns false when the endpoint is due now.
CREATE OR REPLACE FUNCTION webhook_reschedule(p_shop_id bigint, p_endpoint text, p_holder uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  backoff timestamptz;
  due timestamptz;
BEGIN
  SELECT backoff_until INTO backoff FROM webhook_endpoint
   WHERE shop_id = p_shop_id AND id = p_endpoint AND lease_holder = p_holder FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  -- Priorities 1 and 2 are sent while the endpoint backs off. Each priority is one range of the index webhook_delivery_pending.
  SELECT min(CASE WHEN k.priority > 2 THEN greatest(n.next_at, backoff) ELSE n.next_at END) INTO due
    FROM (VALUES (1), (2), (3), (4)) AS k (priority)
   CROSS JOIN LATERAL (SELECT next_attempt_at AS next_at FROM webhook_delivery
                        WHERE shop_id = p_shop_id AND endpoint_id = p_endpoint AND status = 'pending' AND priority = k.priority
                        ORDER BY next_attempt_at LIMIT 1) AS n;
  UPDATE webhook_endpoint SET due_at = due WHERE shop_id = p_shop_id AND id = p_endpoint;
  RETURN due IS NULL OR due > clock_timestamp();
END $$;
