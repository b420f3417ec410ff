-- Sends up to p_limit alerts of a shop that are due: makes each the event of the webhooks that subscribe to it, or suppresses it with the reason. An alert
-- leaves the status pending in the transaction that creates its deliveries, so that it is sent once. In quiet hours nothing is sent, and the shop's
-- alerts wait. Returns the number of decided alerts and the endpoints that received deliveries; NULL while another process works on the shop's alerts.
CREATE OR REPLACE FUNCTION alert_release(p_shop_id bigint, p_limit integer, OUT decided integer, OUT sent integer, OUT endpoints text[])
LANGUAGE plpgsql AS $$
DECLARE
  a alert_settings;
  s shop;
  now_at CONSTANT timestamptz := clock_timestamp();
  hour integer;
  iso CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  -- Of an event's first delivery; see webhook_delivery.priority.
  event_priority CONSTANT smallint := 3;
  refused_by_flow text[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(advisory_lock_key('alerts', p_shop_id::text)) THEN
    RETURN;
  END IF;
  decided := 0;
  sent := 0;
  SELECT * INTO STRICT s FROM shop WHERE id = p_shop_id;
  SELECT * INTO a FROM alert_settings WHERE shop_id = p_shop_id;
  IF s.uninstalled_at IS NOT NULL THEN
    RETURN;
  END IF;
  hour := extract(hour FROM now_at AT TIME ZONE s.time_zone);
  IF (CASE WHEN a.quiet_from < a.quiet_until THEN hour >= a.quiet_from AND hour < a.quiet_until
           WHEN a.quiet_from > a.quiet_until THEN hour >= a.quiet_from OR hour < a.quiet_until END) THEN
    UPDATE alert_settings SET paused_until = (
        SELECT min(t.at)
          FROM (SELECT ((now_at AT TIME ZONE s.time_zone)::date + n + make_time(a.quiet_until, 0, 0)) AT TIME ZONE s.time_zone AS at FROM generate_series(0, 1) AS n) AS t
         WHERE t.at > now_at)
     WHERE shop_id = p_shop_id;
    RETURN;
  END IF;

  -- What workflows wait for and Shopify Flow is not subscribed to, because the app may not read customers.
  SELECT array_agg(k.kind) INTO refused_by_flow
    FROM unnest(a.kinds) AS k (kind)
   WHERE EXISTS (SELECT 1 FROM flow_trigger t WHERE t.shop_id = p_shop_id AND t.enabled AND t.handle = 'wishlist-' || replace(k.kind, '_', '-'))
     AND NOT EXISTS (SELECT 1 FROM webhook_endpoint e WHERE e.shop_id = p_shop_id AND e.id = 'flow' AND 'wishlist.alert.' || k.kind = ANY (e.alert_events));

  WITH batch AS MATERIALIZED (
    SELECT t.* FROM alert t
     WHERE t.shop_id = p_shop_id AND t.status = 'pending' AND t.due_at <= now_at
     ORDER BY t.due_at, t.customer_id LIMIT p_limit
  ), judged AS MATERIALIZED (
    SELECT b.*, v.price AS price_now, v.compare_at_price, v.inventory, consented.at AS consented_at,
           CASE WHEN b.kind = ANY (a.kinds) IS NOT TRUE THEN 'turned_off'
                WHEN b.due_at < now_at - interval '2 days' THEN 'expired'
                WHEN NOT coalesce(consented.given, a.mode = 'merchant_managed') THEN 'consent_withdrawn'
                WHEN NOT EXISTS (
                  SELECT 1 FROM wishlist w
                    JOIN wishlist_item i ON i.shop_id = p_shop_id AND i.wishlist_id = w.id
                                        AND i.product_id = b.product_id AND i.variant_id = b.variant_id
                   WHERE w.shop_id = p_shop_id AND w.owner_kind = 'customer' AND w.owner_id = b.customer_id AND w.deleted_at IS NULL
                ) THEN 'item_removed'
                WHEN EXISTS (
                  SELECT 1 FROM order_line l
                   WHERE l.shop_id = p_shop_id AND l.customer_id = b.customer_id AND l.variant_id = b.variant_id
                     AND l.ordered_at >= b.saved_at AND l.units > 0) THEN 'bought'
                WHEN v.deleted_at IS NOT NULL OR p.deleted_at IS NOT NULL
                     OR product_is_published(p.status, p.published_at, now_at) IS NOT TRUE THEN 'product_gone'
                WHEN CASE b.kind WHEN 'price_dropped' THEN v.price > 0 AND v.price <= b.reference_price * (100 - a.price_drop_percent) / 100
                                 WHEN 'low_stock' THEN v.inventory BETWEEN 1 AND a.low_stock_quantity
                                 ELSE v.available END IS NOT TRUE THEN 'not_current'
                WHEN EXISTS (
                  SELECT 1 FROM alert r
                   WHERE r.shop_id = p_shop_id AND r.customer_id = b.customer_id AND r.variant_id = b.variant_id AND r.status = 'sent'
                     AND r.sent_at > now_at - a.cool_down_hours * interval '1 hour') THEN 'cool_down' END AS why
      FROM batch b
      LEFT JOIN product p ON p.shop_id = p_shop_id AND p.product_id = b.product_id
      LEFT JOIN variant v ON v.shop_id = p_shop_id AND v.variant_id = b.variant_id AND v.product_id = b.product_id
      LEFT JOIN LATERAL (
        SELECT c.given, CASE WHEN a.mode = 'consent' THEN c.at END AS at FROM alert_consent c
         WHERE c.shop_id = p_shop_id AND c.customer_id = b.customer_id AND c.kind = b.kind ORDER BY c.id DESC LIMIT 1
      ) AS consented ON true
  ), first AS MATERIALIZED (
    -- Of a customer's alerts of one variant in this batch, one is sent.
    SELECT j.*, coalesce(j.why, CASE WHEN row_number() OVER (PARTITION BY j.customer_id, j.variant_id, j.why IS NULL ORDER BY j.created_at, j.id) > 1
                                     THEN 'cool_down' END) AS suppressed
      FROM judged j
  ), subscribed AS MATERIALIZED (
    SELECT e.id AS endpoint_id, f.*
      FROM first f JOIN webhook_endpoint e ON e.shop_id = p_shop_id AND e.disabled_at IS NULL AND 'wishlist.alert.' || f.kind = ANY (e.alert_events)
                      -- Shopify Flow takes Shopify's ids only.
                      AND (e.id <> 'flow' OR f.customer_id ~ '^\d{1,16}$' AND f.product_id ~ '^\d{1,16}$')
     WHERE f.suppressed IS NULL
  ), events AS (
    INSERT INTO webhook_event (shop_id, id, event, at, customer_id, list_id, product_id, variant_id, data)
    SELECT DISTINCT ON (g.id) p_shop_id, g.id, 'wishlist.alert.' || g.kind, now_at, g.customer_id, g.list_id, g.product_id, g.variant_id,
           (jsonb_build_object(
             'alertId', g.id,
             'consent', jsonb_build_object('basis', CASE WHEN a.mode = 'consent' THEN 'shopper' ELSE 'none' END,
                                           'givenAt', to_char(g.consented_at AT TIME ZONE 'UTC', iso)),
             'currency', s.currency,
             'url', 'https://' || s.domain || s.store_path || '/alerts/' || g.id,
             'withdrawUrl', 'https://' || s.domain || s.store_path || '/alerts/' || g.id || '/withdraw',
             'price', g.price_now::text)
            || CASE g.kind WHEN 'price_dropped' THEN jsonb_build_object('previousPrice', g.reference_price::text, 'compareAtPrice', g.compare_at_price::text)
                           WHEN 'reminder_due' THEN jsonb_build_object('savedAt', to_char(g.saved_at AT TIME ZONE 'UTC', iso))
                           ELSE jsonb_build_object('inventory', g.inventory) END)::json
      FROM subscribed g ORDER BY g.id
  ), deliveries AS (
    INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
    SELECT p_shop_id, uuid_v7(), g.endpoint_id, g.id, 'wishlist.alert.' || g.kind, 'event', event_priority, 'pending', now_at, now_at
      FROM subscribed g
    RETURNING endpoint_id
  ), decision AS (
    SELECT f.id,
           coalesce(f.suppressed, CASE WHEN EXISTS (SELECT 1 FROM subscribed g WHERE g.id = f.id) THEN NULL
                                       WHEN f.kind = ANY (refused_by_flow) THEN 'flow_not_permitted'
                                       ELSE 'no_receiver' END) AS reason,
           f.price_now, f.consented_at
      FROM first f
  ), marked AS (
    UPDATE alert t
       SET status = CASE WHEN d.reason IS NULL THEN 'sent' ELSE 'suppressed' END, reason = d.reason,
           sent_at = CASE WHEN d.reason IS NULL THEN now_at END, event_id = CASE WHEN d.reason IS NULL THEN t.id END, price = coalesce(d.price_now, t.price),
           consent_at = coalesce(d.consented_at, t.consent_at)
      FROM decision d WHERE t.shop_id = p_shop_id AND t.id = d.id
    RETURNING t.status
  )
  SELECT (SELECT count(*) FROM marked), (SELECT count(*) FROM marked m WHERE m.status = 'sent'),
         (SELECT array_agg(DISTINCT d.endpoint_id) FROM deliveries d)
    INTO decided, sent, endpoints;
  IF endpoints IS NOT NULL THEN
    PERFORM webhook_schedule(p_shop_id, endpoints, false);
  END IF;
END $$;
