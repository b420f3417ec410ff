-- Makes a contact the customer to whom its address belongs: what was asked for, the alerts and the counted emails become the customer's, and the contact
-- ends. What the owner of the address has not confirmed stays with the contact, unless p_unconfirmed is set. p_hashes are the hashes of the address with
-- each key. Returns whether there was something to join.
CREATE OR REPLACE FUNCTION contact_join(p_shop_id bigint, p_hashes text[], p_customer_id text, p_unconfirmed boolean DEFAULT false) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  contact_id text;
BEGIN
  SELECT c.id INTO contact_id FROM contact c WHERE c.shop_id = p_shop_id AND c.address_hash = ANY (p_hashes);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- A fan-out or a release that has read the contact's rows must not write others.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('alerts', p_shop_id::text));
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || contact_id));
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || p_customer_id));
  PERFORM pg_advisory_xact_lock(advisory_lock_key('email', p_shop_id || ' ' || contact_id));
  -- The customer's own request for the same stays.
  DELETE FROM alert_request r
   WHERE r.shop_id = p_shop_id AND r.customer_id = contact_id AND r.confirmed_at IS NOT NULL AND r.alerted_at IS NULL
     AND (r.variant_id, r.kind) IN (SELECT o.variant_id, o.kind FROM alert_request o
                                     WHERE o.shop_id = p_shop_id AND o.customer_id = p_customer_id AND o.confirmed_at IS NOT NULL AND o.alerted_at IS NULL);
  UPDATE alert_request r SET customer_id = p_customer_id
   WHERE r.shop_id = p_shop_id AND r.customer_id = contact_id AND (p_unconfirmed OR r.confirmed_at IS NOT NULL);
  DELETE FROM alert a
   WHERE a.shop_id = p_shop_id AND a.customer_id = contact_id
     AND (a.variant_id, a.occurrence_id) IN (SELECT o.variant_id, o.occurrence_id FROM alert o WHERE o.shop_id = p_shop_id AND o.customer_id = p_customer_id);
  UPDATE alert a SET customer_id = p_customer_id WHERE a.shop_id = p_shop_id AND a.customer_id = contact_id;
  -- Of messages that are still to be sent, the store knows the address.
  UPDATE webhook_event e SET customer_id = p_customer_id WHERE e.shop_id = p_shop_id AND e.customer_id = contact_id;
  INSERT INTO email_message (shop_id, customer_id, alerted_at, batch_id, delivery_ids)
  SELECT p_shop_id, p_customer_id, m.alerted_at, m.batch_id, m.delivery_ids FROM email_message m WHERE m.shop_id = p_shop_id AND m.customer_id = contact_id
      ON CONFLICT DO NOTHING;
  DELETE FROM email_message m WHERE m.shop_id = p_shop_id AND m.customer_id = contact_id;
  INSERT INTO email_suppression (shop_id, customer_id, address_sealed, at, error)
  SELECT p_shop_id, p_customer_id, u.address_sealed, u.at, u.error FROM email_suppression u WHERE u.shop_id = p_shop_id AND u.customer_id = contact_id
      ON CONFLICT DO NOTHING;
  DELETE FROM email_suppression u WHERE u.shop_id = p_shop_id AND u.customer_id = contact_id;
  DELETE FROM contact c
   WHERE c.shop_id = p_shop_id AND c.id = contact_id
     AND NOT EXISTS (SELECT 1 FROM alert_request r WHERE r.shop_id = p_shop_id AND r.customer_id = contact_id);
  RETURN true;
END $$;
