-- Confirms a request by its id, which only an email to its address names: for p_days days. Other requests of the contact for the same are replaced.
-- Returns 'confirmed', 'confirmed_before', or NULL for an unknown request, such as one that was withdrawn; `is_current` when what it waits for is so
-- already, which ends it.
CREATE OR REPLACE FUNCTION alert_request_confirm(
  p_shop_id bigint, p_id uuid, p_at timestamptz, p_days integer, OUT state text, OUT is_current boolean, OUT product_id text, OUT variant_id text
) LANGUAGE plpgsql AS $$
DECLARE
  r alert_request;
  drop_percent integer;
BEGIN
  is_current := false;
  SELECT * INTO r FROM alert_request t WHERE t.shop_id = p_shop_id AND t.id = p_id AND t.customer_id LIKE 'contact %';
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- A withdrawal or another confirmation of the contact comes before or after this one.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || r.customer_id));
  SELECT * INTO r FROM alert_request t WHERE t.shop_id = p_shop_id AND t.id = p_id;
  IF NOT FOUND OR (r.confirmed_at IS NULL AND r.created_at < p_at - p_days * interval '1 day') THEN
    RETURN;
  END IF;
  product_id := r.product_id;
  variant_id := r.variant_id;
  IF r.confirmed_at IS NOT NULL THEN
    state := 'confirmed_before';
    RETURN;
  END IF;
  state := 'confirmed';
  SELECT a.price_drop_percent INTO drop_percent FROM alert_settings a WHERE a.shop_id = p_shop_id;
  SELECT v.available AND CASE WHEN r.kind = 'back_in_stock' THEN true
                              WHEN r.target_price IS NOT NULL THEN v.price <= r.target_price
                              ELSE v.price <= r.reference_price * (100 - drop_percent) / 100 END
    INTO is_current
    FROM variant v WHERE v.shop_id = p_shop_id AND v.variant_id = r.variant_id AND v.product_id = r.product_id AND v.deleted_at IS NULL;
  is_current := coalesce(is_current, false);
  DELETE FROM alert_request t
   WHERE t.shop_id = p_shop_id AND t.customer_id = r.customer_id AND t.variant_id = r.variant_id AND t.kind = r.kind AND t.id <> p_id
     AND t.alerted_at IS NULL;
  UPDATE alert_request t SET confirmed_at = p_at, alerted_at = CASE WHEN is_current THEN p_at END WHERE t.shop_id = p_shop_id AND t.id = p_id;
END $$;
