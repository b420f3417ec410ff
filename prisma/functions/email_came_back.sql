-- Records that a message which the mail server had accepted came back: its deliveries fail with a further attempt, and the customer's address is suppressed
-- unless p_address_sealed is null. p_batch_id is the message's. A report can come before the attempt is recorded: then the deliveries are those with which the
-- message was admitted, and what is recorded of the attempt later changes nothing. A second report changes nothing but the suppression. Returns the
-- customer; null for an unknown message, such as one whose customer was erased.
CREATE OR REPLACE FUNCTION email_came_back(
  p_shop_id bigint, p_batch_id uuid, p_at timestamptz, p_status integer, p_error text, p_response text, p_address_sealed text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found_ids uuid[];
  found_id text;
BEGIN
  SELECT array_agg(a.delivery_id) INTO found_ids
    FROM webhook_attempt a WHERE a.shop_id = p_shop_id AND a.endpoint_id = 'email' AND a.batch_id = p_batch_id;
  IF found_ids IS NULL THEN
    SELECT m.delivery_ids INTO found_ids FROM email_message m WHERE m.shop_id = p_shop_id AND m.batch_id = p_batch_id LIMIT 1;
  END IF;
  SELECT e.customer_id INTO found_id
    FROM webhook_delivery d
    JOIN webhook_event e ON e.shop_id = p_shop_id AND e.id = d.event_id AND e.customer_id IS NOT NULL
   WHERE d.shop_id = p_shop_id AND d.endpoint_id = 'email' AND d.id = ANY (found_ids)
   LIMIT 1;
  IF found_id IS NULL THEN
    RETURN NULL;
  END IF;
  -- An erasure waits for it, or has deleted the event meanwhile.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('email', p_shop_id || ' ' || found_id));
  PERFORM 1 FROM webhook_delivery d
    JOIN webhook_event e ON e.shop_id = p_shop_id AND e.id = d.event_id AND e.customer_id = found_id
   WHERE d.shop_id = p_shop_id AND d.id = ANY (found_ids);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  WITH failed AS (
    UPDATE webhook_delivery d SET status = 'failed', attempts = d.attempts + 1, next_attempt_at = NULL
     WHERE d.shop_id = p_shop_id AND d.endpoint_id = 'email' AND d.status IN ('pending', 'succeeded') AND d.id = ANY (found_ids)
    RETURNING d.id, d.attempts
  )
  INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, error, response, endpoint_id, batch_id)
  SELECT p_shop_id, f.id, f.attempts, p_at, 0, p_status, p_error, p_response, 'email', p_batch_id FROM failed f
      ON CONFLICT (shop_id, delivery_id, number) DO NOTHING;
  PERFORM email_suppress(p_shop_id, found_id, p_address_sealed, p_at, p_error);
  RETURN found_id;
END $$;
