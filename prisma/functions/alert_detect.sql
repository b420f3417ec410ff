-- Turns up to p_limit changes of a shop's variants into occurrences, and marks them as processed. p_stable_ms is how long a variant must be available
-- before it counts as back in stock, p_plans the plans that include alerts. A return to stock is also an occurrence of the price drops that were withheld
-- while the variant was sold out: one whose price did not fall. Returns the number of processed changes; NULL while another process works on the shop's
-- alerts.
CREATE OR REPLACE FUNCTION alert_detect(p_shop_id bigint, p_limit integer, p_stable_ms integer, p_plans text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  a alert_settings;
  of_shop record;
  ids bigint[];
  -- Citus allows no volatile function in an UPDATE.
  -- Whole milliseconds, as columns have: what is due at once is due to the next step.
  detected_at CONSTANT timestamptz := date_trunc('milliseconds', clock_timestamp());
  -- A full minute, so that the variants of a product that return within moments are told of together.
  stable_at CONSTANT timestamptz := date_trunc('minute', detected_at + p_stable_ms * interval '1 ms' + interval '1 min');
  -- Price changes before this time may compare prices in two currencies.
  comparable_from timestamptz := '-infinity';
BEGIN
  IF NOT pg_try_advisory_xact_lock(advisory_lock_key('alerts', p_shop_id::text)) THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(c.id) INTO ids
    FROM (SELECT id FROM variant_change WHERE shop_id = p_shop_id AND processed_at IS NULL ORDER BY id LIMIT p_limit) AS c;
  IF ids IS NULL THEN
    -- Fan-out and release have found nothing either: see processAlerts.
    PERFORM 1 FROM alert_settings t WHERE t.shop_id = p_shop_id AND t.due_at <= detected_at;
    IF FOUND THEN
      PERFORM alert_schedule(p_shop_id);
    END IF;
    RETURN 0;
  END IF;

  SELECT s.plan, s.currency_changed_at INTO STRICT of_shop FROM shop s WHERE s.id = p_shop_id;
  SELECT t.* INTO a FROM alert_settings t WHERE t.shop_id = p_shop_id;
  IF of_shop.plan = ANY (p_plans) AND cardinality(a.kinds) > 0 THEN
    -- After a change of currency, the first complete product sync reads all prices anew.
    IF of_shop.currency_changed_at IS NOT NULL THEN
      SELECT y.finished_at INTO comparable_from
        FROM catalog_sync y WHERE y.shop_id = p_shop_id AND y.started_at > of_shop.currency_changed_at;
      comparable_from := coalesce(comparable_from, 'infinity');
    END IF;

    WITH changes AS (
      SELECT c.* FROM variant_change c WHERE c.shop_id = p_shop_id AND c.id = ANY (ids)
    )
    INSERT INTO alert_occurrence (shop_id, kind, product_id, variant_id, change_id, at, due_at, price, old_price)
    SELECT p_shop_id, k.kind, c.product_id, c.variant_id, c.id, c.at,
           CASE WHEN k.kind <> 'low_stock' AND c.available AND NOT c.old_available THEN stable_at ELSE detected_at END, c.price, c.old_price
      FROM changes c
      JOIN variant v ON v.shop_id = p_shop_id AND v.variant_id = c.variant_id
     CROSS JOIN LATERAL unnest(ARRAY[
       -- A price of zero is a mistake more often than a present.
       CASE WHEN c.price > 0 AND c.at >= comparable_from
                 AND (c.price < c.old_price
                      OR c.available AND NOT c.old_available AND EXISTS (
                           SELECT 1 FROM alert w
                            WHERE w.shop_id = p_shop_id AND w.variant_id = c.variant_id AND w.kind = 'price_dropped' AND w.reason = 'sold_out'))
            THEN 'price_dropped' END,
       CASE WHEN c.available AND NOT c.old_available THEN 'back_in_stock' END,
       CASE WHEN c.inventory BETWEEN 1 AND a.low_stock_quantity AND c.old_inventory > a.low_stock_quantity AND v.low_stock_armed
                 AND NOT EXISTS (SELECT 1 FROM changes e WHERE e.variant_id = c.variant_id AND e.id < c.id
                                    AND e.inventory BETWEEN 1 AND a.low_stock_quantity AND e.old_inventory > a.low_stock_quantity) THEN 'low_stock' END
     ]) AS k (kind)
     WHERE k.kind = ANY (a.kinds)
       -- Nobody has to be looked for where nobody has saved the variant or asked for it.
       AND (EXISTS (SELECT 1 FROM wishlist_item i
                     WHERE i.shop_id = p_shop_id AND i.product_id = c.product_id AND i.variant_id = c.variant_id)
            OR EXISTS (SELECT 1 FROM alert_request r
                        WHERE r.shop_id = p_shop_id AND r.variant_id = c.variant_id AND r.kind = k.kind
                          AND r.confirmed_at IS NOT NULL AND r.alerted_at IS NULL))
     ORDER BY c.id
        ON CONFLICT DO NOTHING;
    IF FOUND THEN
      PERFORM alert_schedule(p_shop_id);
    END IF;
    WITH changes AS (
      SELECT c.* FROM variant_change c WHERE c.shop_id = p_shop_id AND c.id = ANY (ids)
    ), low AS (
      -- A variant that fell low counts again once its inventory has been more than twice the quantity.
      SELECT DISTINCT ON (c.variant_id) c.variant_id, c.inventory <= 2 * a.low_stock_quantity AND (
               NOT v.low_stock_armed OR EXISTS (SELECT 1 FROM changes l WHERE l.variant_id = c.variant_id
                                                   AND l.inventory BETWEEN 1 AND a.low_stock_quantity)) AS is_low
        FROM changes c JOIN variant v ON v.shop_id = p_shop_id AND v.variant_id = c.variant_id
       WHERE c.inventory IS NOT NULL
       ORDER BY c.variant_id, c.id DESC
    )
    UPDATE variant v SET low_stock_armed = NOT l.is_low
      FROM low l WHERE v.shop_id = p_shop_id AND v.variant_id = l.variant_id AND v.low_stock_armed = l.is_low;
  END IF;

  UPDATE variant_change c SET processed_at = detected_at WHERE c.shop_id = p_shop_id AND c.id = ANY (ids);
  RETURN cardinality(ids);
END $$;
