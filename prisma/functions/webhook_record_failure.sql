-- Records a failure of an endpoint and disables the endpoint when it is gone, or has had nothing but failures for p_failing_days.
-- reason: gone | failing when this call disabled the endpoint
-- notified: endpoints with a delivery of the event webhook.disabled, which is part of the same transaction
CREATE OR REPLACE FUNCTION webhook_record_failure(
  p_shop_id bigint, p_endpoint text, p_failures integer, p_backoff_ms double precision, p_gone boolean, p_failing_days integer,
  OUT reason text, OUT notified text[]
) LANGUAGE plpgsql AS $$
DECLARE
  recorded_at CONSTANT timestamptz := clock_timestamp();
  backoff CONSTANT timestamptz := recorded_at + p_backoff_ms * interval '1 ms';
  failing_before CONSTANT timestamptz := recorded_at - p_failing_days * interval '1 day';
  why CONSTANT text := CASE WHEN p_gone THEN 'gone' ELSE 'failing' END;
  disables boolean;
BEGIN
  SELECT disabled_at IS NULL AND (p_gone OR failing_since < failing_before) INTO disables
    FROM webhook_endpoint WHERE shop_id = p_shop_id AND id = p_endpoint;
  IF disables THEN
    -- The event makes other endpoints due. In one order for all transactions, so that two endpoints that are disabled together do not deadlock.
    PERFORM 1 FROM webhook_endpoint WHERE shop_id = p_shop_id ORDER BY id FOR NO KEY UPDATE;
  END IF;
  UPDATE webhook_endpoint
     SET failures = greatest(failures, p_failures), failing_since = coalesce(failing_since, recorded_at), backoff_until = backoff
   WHERE shop_id = p_shop_id AND id = p_endpoint;
  IF disables THEN
    -- Another transaction may have disabled the endpoint, or recorded a success, before the lock.
    UPDATE webhook_endpoint SET disabled_at = recorded_at, disabled_reason = why
     WHERE shop_id = p_shop_id AND id = p_endpoint AND disabled_at IS NULL AND (p_gone OR failing_since < failing_before);
    IF FOUND THEN
      reason := why;
      -- Shopify Flow is no webhook of the merchant's: its id and address mean nothing to receivers.
      IF p_endpoint <> 'flow' THEN
        notified := webhook_notify_disabled(p_shop_id, p_endpoint);
      END IF;
    END IF;
  END IF;
END $$;
