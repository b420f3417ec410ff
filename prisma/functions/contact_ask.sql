-- Records that somebody asks for an alert with an address, which counts once its owner has confirmed it. p_hashes are the hashes of the address with each
-- key, that of the key that is used now first. Returns the id of the request, which only an email to the address may name: NULL when the address has had
-- p_per_day requests within a day, has p_open of them, or has refused an email, about which the caller must not learn. `refused` is set when the shop has had p_per_hour of them
-- within an hour.
CREATE OR REPLACE FUNCTION contact_ask(
  p_shop_id bigint, p_hashes text[], p_sealed text, p_kind text, p_product_id text, p_variant_id text, p_target_price numeric, p_locale text,
  p_at timestamptz, p_per_day integer, p_open integer, p_per_hour integer, OUT request_id uuid, OUT refused boolean
) LANGUAGE plpgsql AS $$
DECLARE
  contact_id text;
  counted integer;
  price_now numeric;
BEGIN
  SELECT count(*) INTO counted
    FROM (SELECT 1 FROM alert_request r
           WHERE r.shop_id = p_shop_id AND r.created_at > p_at - interval '1 hour' AND r.customer_id LIKE 'contact %' LIMIT p_per_hour) AS n;
  refused := counted >= p_per_hour;
  IF refused THEN
    RETURN;
  END IF;
  -- Two requests by one address follow each other.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('contact', p_shop_id || ' ' || p_hashes[1]));
  -- The time keeps a purge from deleting a contact that gets a request now.
  UPDATE contact c SET requested_at = p_at WHERE c.shop_id = p_shop_id AND c.address_hash = ANY (p_hashes) RETURNING c.id INTO contact_id;
  IF contact_id IS NULL THEN
    contact_id := 'contact ' || gen_random_uuid();
    INSERT INTO contact (shop_id, id, address_hash, address_sealed, requested_at) VALUES (p_shop_id, contact_id, p_hashes[1], p_sealed, p_at);
  END IF;
  PERFORM 1 FROM email_suppression u WHERE u.shop_id = p_shop_id AND u.customer_id = contact_id;
  IF FOUND THEN
    RETURN;
  END IF;
  SELECT count(*) INTO counted
    FROM alert_request r WHERE r.shop_id = p_shop_id AND r.customer_id = contact_id AND r.created_at > p_at - interval '1 day';
  IF counted >= p_per_day THEN
    RETURN;
  END IF;
  SELECT count(*) INTO counted FROM alert_request r WHERE r.shop_id = p_shop_id AND r.customer_id = contact_id AND r.alerted_at IS NULL;
  IF counted >= p_open THEN
    RETURN;
  END IF;
  request_id := uuid_v7();
  SELECT v.price INTO price_now FROM variant v WHERE v.shop_id = p_shop_id AND v.variant_id = p_variant_id AND v.product_id = p_product_id;
  INSERT INTO alert_request (shop_id, id, customer_id, kind, product_id, variant_id, reference_price, target_price, locale, created_at)
  VALUES (p_shop_id, request_id, contact_id, p_kind, p_product_id, p_variant_id, price_now, p_target_price, p_locale, p_at);
END $$;
