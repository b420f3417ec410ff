-- Counts a message to a customer, unless the customer has had p_limit others in the seven days before its alerts. Returns whether it may be sent: a message
-- that was counted before may, too.
CREATE OR REPLACE FUNCTION email_reserve(p_shop_id bigint, p_customer_id text, p_alerted_at timestamptz, p_limit integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  -- Two messages to one customer are counted one after the other; an erasure waits for them.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('email', p_shop_id || ' ' || p_customer_id));
  PERFORM 1 FROM email_message m WHERE m.shop_id = p_shop_id AND m.customer_id = p_customer_id AND m.alerted_at = p_alerted_at;
  IF FOUND THEN
    RETURN true;
  END IF;
  IF (SELECT count(*) FROM email_message m
       WHERE m.shop_id = p_shop_id AND m.customer_id = p_customer_id AND m.alerted_at > p_alerted_at - interval '7 days') >= p_limit THEN
    RETURN false;
  END IF;
  INSERT INTO email_message (shop_id, customer_id, alerted_at) VALUES (p_shop_id, p_customer_id, p_alerted_at);
  RETURN true;
END $$;
