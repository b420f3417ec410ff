-- Records what became of a shop's alerts, from a batch of its activity: the customer was in the store again within a week, or put the variant into the
-- cart within a month.
CREATE OR REPLACE FUNCTION alert_record_outcomes(p_shop_id bigint, p_batch activity[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM alert_settings WHERE shop_id = p_shop_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  WITH seen AS (
    SELECT b.owner_id, min(b.at) AS at, min(b.at) - interval '7 days' AS since FROM unnest(p_batch) AS b
     WHERE b.owner_kind = 'customer' AND b.source IN ('storefront', 'api', 'cart', 'merge', 'guest_merge') GROUP BY b.owner_id
  )
  UPDATE alert a SET returned_at = s.at
    FROM seen s
   WHERE a.shop_id = p_shop_id AND a.customer_id = s.owner_id AND a.status = 'sent' AND a.returned_at IS NULL
     AND a.sent_at BETWEEN s.since AND s.at;
  WITH carted AS (
    SELECT b.owner_id, b.variant_id, min(b.at) AS at, min(b.at) - interval '30 days' AS since FROM unnest(p_batch) AS b
     WHERE b.owner_kind = 'customer' AND b.kind = 'carted' GROUP BY b.owner_id, b.variant_id
  )
  UPDATE alert a SET carted_at = c.at
    FROM carted c
   WHERE a.shop_id = p_shop_id AND a.customer_id = c.owner_id AND a.variant_id = c.variant_id AND a.status = 'sent' AND a.carted_at IS NULL
     AND a.sent_at BETWEEN c.since AND c.at;
END $$;
