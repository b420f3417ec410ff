-- Records that a customer asks for an alert about a saved variant, in place of an earlier request for the same. Returns false when the customer has p_open
-- others.
CREATE OR REPLACE FUNCTION alert_request_of_customer(
  p_shop_id bigint, p_customer_id text, p_kind text, p_product_id text, p_variant_id text, p_target_price numeric, p_locale text, p_at timestamptz,
  p_open integer
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  counted integer;
  price_now numeric;
BEGIN
  -- Two requests of one customer follow each other; an erasure waits for them.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || p_customer_id));
  DELETE FROM alert_request r
   WHERE r.shop_id = p_shop_id AND r.customer_id = p_customer_id AND r.variant_id = p_variant_id AND r.kind = p_kind AND r.alerted_at IS NULL;
  SELECT count(*) INTO counted FROM alert_request r WHERE r.shop_id = p_shop_id AND r.customer_id = p_customer_id AND r.alerted_at IS NULL;
  IF counted >= p_open THEN
    RETURN false;
  END IF;
  SELECT v.price INTO price_now FROM variant v WHERE v.shop_id = p_shop_id AND v.variant_id = p_variant_id AND v.product_id = p_product_id;
  INSERT INTO alert_request (shop_id, id, customer_id, kind, product_id, variant_id, reference_price, target_price, locale, needs_item, created_at, confirmed_at)
  VALUES (p_shop_id, uuid_v7(), p_customer_id, p_kind, p_product_id, p_variant_id, price_now, p_target_price, p_locale, true, p_at, p_at);
  RETURN true;
END $$;
