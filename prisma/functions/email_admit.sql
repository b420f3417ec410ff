-- Admits a message to a customer: returns those of p_kinds that the customer wants now, a suppressed address of the customer, and whether the message is
-- counted, which is so unless the customer wants nothing of it, has a suppressed address other than p_not_suppressed, or has had p_limit other messages
-- in the seven days before its alerts. A message that was counted before is admitted again. p_batch_id and p_delivery_ids are the message's: by them, a
-- report that comes before the attempt is recorded finds it.
CREATE OR REPLACE FUNCTION email_admit(
  p_shop_id bigint, p_customer_id text, p_kinds text[], p_alerted_at timestamptz, p_limit integer, p_not_suppressed text,
  p_batch_id uuid DEFAULT NULL, p_delivery_ids uuid[] DEFAULT NULL,
  OUT kinds text[], OUT suppressed text, OUT admitted boolean
) LANGUAGE plpgsql AS $$
DECLARE
  counted bigint;
  is_counted boolean;
BEGIN
  admitted := false;
  -- A withdrawal counts in every mode.
  SELECT array_agg(k.kind) INTO kinds
    FROM alert_settings a
   CROSS JOIN LATERAL unnest(a.kinds) AS k (kind)
   WHERE a.shop_id = p_shop_id AND k.kind = ANY (p_kinds)
     AND (coalesce((SELECT c.given FROM alert_consent c
                     WHERE c.shop_id = p_shop_id AND c.customer_id = p_customer_id AND c.kind = k.kind ORDER BY c.id DESC LIMIT 1),
                   a.mode = 'merchant_managed' AND p_customer_id NOT LIKE 'contact %')
          -- A request is a consent of its own, which a withdrawal deletes.
          OR EXISTS (SELECT 1 FROM alert_request r
                      WHERE r.shop_id = p_shop_id AND r.customer_id = p_customer_id AND r.kind = k.kind AND r.confirmed_at IS NOT NULL));
  IF kinds IS NULL THEN
    RETURN;
  END IF;
  SELECT u.address_sealed INTO suppressed FROM email_suppression u WHERE u.shop_id = p_shop_id AND u.customer_id = p_customer_id;
  IF suppressed IS NOT NULL AND suppressed IS DISTINCT FROM p_not_suppressed THEN
    RETURN;
  END IF;
  -- Two messages to one customer are counted one after the other; an erasure waits for them.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('email', p_shop_id || ' ' || p_customer_id));
  admitted := true;
  -- The time is no condition: until the table is analyzed, the planner would read all messages of the shop by it.
  SELECT count(*) FILTER (WHERE m.alerted_at > p_alerted_at - interval '7 days'), coalesce(bool_or(m.alerted_at = p_alerted_at), false)
    INTO counted, is_counted
    FROM email_message m
   WHERE m.shop_id = p_shop_id AND m.customer_id = p_customer_id;
  IF is_counted THEN
    -- A redelivery is another message.
    UPDATE email_message m SET batch_id = p_batch_id, delivery_ids = p_delivery_ids
     WHERE m.shop_id = p_shop_id AND m.customer_id = p_customer_id AND m.alerted_at = p_alerted_at AND m.batch_id IS DISTINCT FROM p_batch_id;
    RETURN;
  END IF;
  IF counted >= p_limit THEN
    admitted := false;
    RETURN;
  END IF;
  INSERT INTO email_message (shop_id, customer_id, alerted_at, batch_id, delivery_ids)
  VALUES (p_shop_id, p_customer_id, p_alerted_at, p_batch_id, p_delivery_ids);
END $$;
