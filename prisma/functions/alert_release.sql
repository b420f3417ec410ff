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
  events json;
  ids uuid[];
  reasons text[];
  prices numeric[];
  consents timestamptz[];
  kinds text[];
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
     AND NOT EXISTS (SELECT 1 FROM webhook_endpoint e WHERE e.shop_id = p_shop_id AND e.id = 'flow' AND 'wishlist.alert.' || k.kind = ANY (e.events));

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
                WHEN v.available IS NOT TRUE THEN 'sold_out'
                WHEN CASE b.kind WHEN 'price_dropped' THEN v.price > 0 AND v.price <= b.reference_price * (100 - a.price_drop_percent) / 100
                                 WHEN 'low_stock' THEN v.inventory BETWEEN 1 AND a.low_stock_quantity
                                 ELSE true END IS NOT TRUE THEN 'not_current'
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
  )
  SELECT json_agg(e) FILTER (WHERE e.suppressed IS NULL), array_agg(e.id), array_agg(e.kind), array_agg(e.suppressed), array_agg(e.price_now), array_agg(e.consented_at)
    INTO events, ids, kinds, reasons, prices, consents
    FROM (SELECT f.id, f.kind, 'wishlist.alert.' || f.kind AS event, now_at AS at, f.customer_id, f.list_id, f.product_id, f.variant_id,
                 f.suppressed, f.price_now, f.consented_at,
                 (jsonb_build_object(
                    'alertId', f.id,
                    'consent', jsonb_build_object('basis', CASE WHEN a.mode = 'consent' THEN 'shopper' ELSE 'none' END,
                                                  'givenAt', to_char(f.consented_at AT TIME ZONE 'UTC', iso)),
                    'currency', s.currency,
                    'url', 'https://' || s.domain || s.store_path || '/alerts/' || f.id,
                    'withdrawUrl', 'https://' || s.domain || s.store_path || '/alerts/' || f.id || '/withdraw',
                    'price', f.price_now::text)
                  || CASE f.kind WHEN 'price_dropped' THEN jsonb_build_object('previousPrice', f.reference_price::text, 'compareAtPrice', f.compare_at_price::text)
                                 WHEN 'reminder_due' THEN jsonb_build_object('savedAt', to_char(f.saved_at AT TIME ZONE 'UTC', iso))
                                 ELSE jsonb_build_object('inventory', f.inventory) END)::json AS data
            FROM first f ORDER BY f.id) AS e;
  endpoints := event_emit(p_shop_id, events);

  WITH decision AS (
    SELECT d.*, v.id AS event_id,
           coalesce(d.suppressed, CASE WHEN v.id IS NOT NULL THEN NULL WHEN d.kind = ANY (refused_by_flow) THEN 'flow_not_permitted' ELSE 'no_receiver' END) AS reason
      FROM unnest(ids, kinds, reasons, prices, consents) AS d (id, kind, suppressed, price_now, consented_at)
      LEFT JOIN webhook_event v ON v.shop_id = p_shop_id AND v.id = d.id
  ), marked AS (
    UPDATE alert t
       SET status = CASE WHEN d.reason IS NULL THEN 'sent' ELSE 'suppressed' END, reason = d.reason,
           sent_at = CASE WHEN d.reason IS NULL THEN now_at END, event_id = d.event_id, price = coalesce(d.price_now, t.price),
           consent_at = coalesce(d.consented_at, t.consent_at)
      FROM decision d WHERE t.shop_id = p_shop_id AND t.id = d.id
    RETURNING t.status
  )
  SELECT count(*), count(*) FILTER (WHERE m.status = 'sent') INTO decided, sent FROM marked m;
END $$;
