-- Creates the event webhook.disabled for an endpoint that was just disabled, and a delivery for each other enabled endpoint that subscribes to it.
-- Returns these endpoints. The caller has locked all endpoints of the shop.
CREATE OR REPLACE FUNCTION webhook_notify_disabled(p_shop_id bigint, p_endpoint text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  iso CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  -- An endpoint may have failed with millions of deliveries; counting them all would hold the locks for long.
  most_counted CONSTANT integer := 10000;
  disabled record;
  last_attempt record;
  undelivered integer;
BEGIN
  PERFORM 1 FROM webhook_endpoint WHERE shop_id = p_shop_id AND disabled_at IS NULL AND 'webhook.disabled' = ANY (events);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  SELECT url, disabled_at, disabled_reason, failing_since INTO STRICT disabled
    FROM webhook_endpoint WHERE shop_id = p_shop_id AND id = p_endpoint;
  SELECT max(a.status) AS status, max(a.error) AS error INTO last_attempt
    FROM (SELECT status, error FROM webhook_attempt
           WHERE shop_id = p_shop_id AND endpoint_id = p_endpoint AND url IS NOT NULL ORDER BY at DESC LIMIT 1) AS a;
  SELECT count(*) INTO undelivered
    FROM ((SELECT 1 FROM webhook_delivery
            WHERE shop_id = p_shop_id AND endpoint_id = p_endpoint AND status = 'pending' LIMIT most_counted)
          UNION ALL
          (SELECT 1 FROM webhook_delivery
            WHERE shop_id = p_shop_id AND endpoint_id = p_endpoint AND status = 'failed' AND kind <> 'test' AND redelivered_at IS NULL
            LIMIT most_counted)
          LIMIT most_counted) AS d;

  RETURN event_emit(p_shop_id, p_operational => true, p_events => json_build_array(json_build_object(
    'event', 'webhook.disabled',
    'at', disabled.disabled_at,
    'data', json_build_object(
      'webhookId', p_endpoint,
      -- A query may hold a credential, which is no business of another receiver.
      'url', split_part(disabled.url, '?', 1),
      'reason', disabled.disabled_reason,
      'disabledAt', to_char(disabled.disabled_at AT TIME ZONE 'UTC', iso),
      'failingSince', to_char(disabled.failing_since AT TIME ZONE 'UTC', iso),
      'undelivered', undelivered,
      'lastStatus', last_attempt.status,
      'lastError', last_attempt.error))));
END $$;
