-- Ends up to p_limit waiting deliveries to Shopify Flow, of a shop whose customers the app may not read any more. The alerts of an event that only
-- Flow was to receive count as not sent, and its delivery is deleted with them; any other delivery fails, and can be sent again. Flow is not failing then: it gets nothing.
-- Returns the number of deliveries.
CREATE OR REPLACE FUNCTION flow_withhold(p_shop_id bigint, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  ended_at CONSTANT timestamptz := clock_timestamp();
  ended integer;
BEGIN
  UPDATE webhook_endpoint SET failures = 0, failing_since = NULL, backoff_until = NULL
   WHERE shop_id = p_shop_id AND id = 'flow' AND failing_since IS NOT NULL;
  WITH waiting AS MATERIALIZED (
    SELECT id, event_id, event, kind, created_at, attempts FROM webhook_delivery
     WHERE shop_id = p_shop_id AND endpoint_id = 'flow' AND status = 'pending' ORDER BY id LIMIT p_limit FOR UPDATE
  ), withheld AS (
    UPDATE alert a SET status = 'suppressed', reason = 'flow_not_permitted', sent_at = NULL, event_id = NULL
      FROM waiting w JOIN alert leader ON leader.shop_id = p_shop_id AND leader.id = w.event_id AND leader.status = 'sent'
     WHERE a.shop_id = p_shop_id AND a.customer_id = leader.customer_id AND a.event_id = w.event_id AND a.status = 'sent' AND w.kind = 'event'
       AND NOT EXISTS (
         SELECT 1 FROM webhook_endpoint e
          WHERE e.shop_id = p_shop_id AND e.id <> 'flow' AND w.event = ANY (e.events)
            AND e.created_at < w.created_at AND (e.disabled_at IS NULL OR e.disabled_at > w.created_at))
    RETURNING w.id
  ), deleted AS (
    DELETE FROM webhook_delivery d USING withheld h WHERE d.shop_id = p_shop_id AND d.id = h.id
  ), failed AS (
    UPDATE webhook_delivery d SET status = 'failed', next_attempt_at = NULL, attempts = d.attempts + 1
      FROM waiting w
     WHERE d.shop_id = p_shop_id AND d.id = w.id AND NOT EXISTS (SELECT 1 FROM withheld h WHERE h.id = w.id)
    RETURNING d.id, d.attempts
  ), recorded AS (
    INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, error, endpoint_id)
    SELECT p_shop_id, f.id, f.attempts, ended_at, 0, 'the app may not read customers', 'flow' FROM failed f
        ON CONFLICT (shop_id, delivery_id, number) DO NOTHING
  )
  SELECT count(*) INTO ended FROM waiting;
  RETURN ended;
END $$;
