-- Deletes what a customer or a contact has asked for, of p_kinds; all of it with the contact, if p_all is set.
CREATE OR REPLACE FUNCTION alert_request_withdraw(p_shop_id bigint, p_customer_id text, p_kinds text[], p_all boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  -- A confirmation of the contact comes before or after this one.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || p_customer_id));
  DELETE FROM alert_request r WHERE r.shop_id = p_shop_id AND r.customer_id = p_customer_id AND (p_all OR r.kind = ANY (p_kinds));
  IF p_all THEN
    DELETE FROM contact c WHERE c.shop_id = p_shop_id AND c.id = p_customer_id;
    IF FOUND THEN
      DELETE FROM email_suppression u WHERE u.shop_id = p_shop_id AND u.customer_id = p_customer_id;
    END IF;
  END IF;
END $$;
