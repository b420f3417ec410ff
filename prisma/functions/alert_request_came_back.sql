-- Records that the email which asks to confirm a request was refused, came back or is called spam: a request that is not confirmed ends, because nobody can
-- confirm it, and its address is suppressed unless p_address_sealed is null. Returns whether there is such a request.
CREATE OR REPLACE FUNCTION alert_request_came_back(
  p_shop_id bigint, p_id uuid, p_at timestamptz, p_error text, p_address_sealed text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_id text;
BEGIN
  SELECT r.customer_id INTO found_id FROM alert_request r WHERE r.shop_id = p_shop_id AND r.id = p_id;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- A withdrawal, a confirmation or an erasure comes before or after this.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || found_id));
  PERFORM 1 FROM alert_request r WHERE r.shop_id = p_shop_id AND r.id = p_id AND r.customer_id = found_id;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM alert_request r WHERE r.shop_id = p_shop_id AND r.id = p_id AND r.confirmed_at IS NULL;
  PERFORM email_suppress(p_shop_id, found_id, p_address_sealed, p_at, p_error);
  RETURN true;
END $$;
