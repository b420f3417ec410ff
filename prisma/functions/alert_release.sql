-- Sends up to p_limit alerts of a shop that are due, and the others of the same customers: makes those of a customer and product one event of the webhooks
-- that subscribe to it, or suppresses them with the reason. All events of a customer have the same time, so that a message can hold them together. The event has the id of the alert that leads it. An alert leaves the status
-- pending in the transaction that creates its deliveries, so that it is sent once. In quiet hours nothing is sent, and the shop's alerts wait. Returns the
-- number of decided alerts and the endpoints that received deliveries; NULL while another process works on the shop's alerts.
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
  leaders uuid[];
  received text[];
  emailed text[];
  refused_by_flow text[];
  -- The kind of an event is the first of those that it tells of.
  precedence CONSTANT text[] := ARRAY['back_in_stock', 'price_dropped', 'low_stock', 'reminder_due'];
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
  -- The alerts of a moment are sent once all of them are there.
  PERFORM 1 FROM alert_occurrence o WHERE o.shop_id = p_shop_id AND o.status = 'open' AND o.due_at <= now_at LIMIT 1;
  IF FOUND THEN
    RETURN;
  END IF;
  PERFORM 1 FROM variant_change c WHERE c.shop_id = p_shop_id AND c.processed_at IS NULL LIMIT 1;
  IF FOUND THEN
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

  SELECT array_agg(k.kind) INTO received
    FROM unnest(a.kinds) AS k (kind)
   WHERE EXISTS (SELECT 1 FROM webhook_endpoint e
                  WHERE e.shop_id = p_shop_id AND e.disabled_at IS NULL AND 'wishlist.alert.' || k.kind = ANY (e.events));

  -- A contact is reached by email only: no other receiver can know who it is.
  SELECT array_agg(k.kind) INTO emailed
    FROM unnest(a.kinds) AS k (kind)
   WHERE EXISTS (SELECT 1 FROM webhook_endpoint e
                  WHERE e.shop_id = p_shop_id AND e.id = 'email' AND e.disabled_at IS NULL AND 'wishlist.alert.' || k.kind = ANY (e.events));

  WITH due AS MATERIALIZED (
    SELECT t.customer_id FROM alert t
     WHERE t.shop_id = p_shop_id AND t.status = 'pending' AND t.due_at <= now_at
     ORDER BY t.due_at, t.customer_id LIMIT p_limit
  ), batch AS MATERIALIZED (
    SELECT t.*
      FROM (SELECT DISTINCT d.customer_id FROM due d) AS d
     CROSS JOIN LATERAL (
       -- OFFSET 0 keeps the planner from reading all pending alerts for each customer.
       SELECT * FROM alert t WHERE t.shop_id = p_shop_id AND t.customer_id = d.customer_id OFFSET 0
     ) AS t
     WHERE t.status = 'pending' AND t.due_at <= now_at
  ), judged AS MATERIALIZED (
    SELECT b.*, v.price AS price_now, v.compare_at_price, v.inventory,
           CASE WHEN b.request_id IS NULL THEN consented.at ELSE q.confirmed_at END AS consented_at,
           CASE WHEN b.request_id IS NULL THEN consented.locale ELSE q.locale END AS locale, q.target_price,
           p.title AS product_title, p.handle, p.image_url, nullif(v.title, 'Default Title') AS variant_title,
           CASE WHEN b.kind = ANY (a.kinds) IS NOT TRUE THEN 'turned_off'
                WHEN b.due_at < now_at - interval '2 days' THEN 'expired'
                -- A request is a consent of its own, which a withdrawal deletes.
                WHEN CASE WHEN b.request_id IS NULL THEN NOT coalesce(consented.given, a.mode = 'merchant_managed') ELSE q.id IS NULL END THEN 'consent_withdrawn'
                WHEN (b.request_id IS NULL OR q.needs_item) AND NOT EXISTS (
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
                WHEN CASE b.kind WHEN 'price_dropped' THEN v.price > 0 AND v.price <= coalesce(q.target_price, b.reference_price * (100 - a.price_drop_percent) / 100)
                                 WHEN 'low_stock' THEN v.inventory BETWEEN 1 AND a.low_stock_quantity
                                 ELSE true END IS NOT TRUE THEN 'not_current'
                WHEN b.request_id IS NULL AND EXISTS (
                  SELECT 1 FROM alert r
                   WHERE r.shop_id = p_shop_id AND r.customer_id = b.customer_id AND r.product_id = b.product_id AND r.status = 'sent'
                     AND r.sent_at > now_at - a.cool_down_hours * interval '1 hour') THEN 'cool_down' END AS why
      FROM batch b
      LEFT JOIN product p ON p.shop_id = p_shop_id AND p.product_id = b.product_id
      LEFT JOIN variant v ON v.shop_id = p_shop_id AND v.variant_id = b.variant_id AND v.product_id = b.product_id
      LEFT JOIN alert_request q ON q.shop_id = p_shop_id AND q.id = b.request_id AND q.confirmed_at IS NOT NULL
      LEFT JOIN LATERAL (
        SELECT c.given, CASE WHEN a.mode = 'consent' THEN c.at END AS at, c.locale FROM alert_consent c
         WHERE c.shop_id = p_shop_id AND c.customer_id = b.customer_id AND c.kind = b.kind ORDER BY c.id DESC LIMIT 1
      ) AS consented ON true
  ), single AS MATERIALIZED (
    -- Of a customer's alerts of one kind and variant in this batch, one is sent.
    SELECT j.*, coalesce(j.why, CASE WHEN row_number() OVER (PARTITION BY j.customer_id, j.variant_id, j.kind, j.why IS NULL ORDER BY j.created_at, j.id) > 1
                                     THEN 'cool_down' END) AS suppressed,
           coalesce(j.kind = ANY (CASE WHEN j.customer_id LIKE 'contact %' THEN emailed ELSE received END), false) AS is_received
      FROM judged j
  ), grouped AS MATERIALIZED (
    SELECT f.*, first_value(f.id) OVER (
             PARTITION BY f.customer_id, f.product_id, f.suppressed IS NULL, f.is_received
             ORDER BY array_position(precedence, f.kind), f.saved_at DESC, f.id) AS leader
      FROM single f
  ), item AS (
    SELECT g.leader, bool_or(g.id = g.leader) AS leads, max(g.saved_at) AS saved_at, g.variant_id, max(g.reference_price) AS previous_price,
           jsonb_build_object(
             'variantId', g.variant_id,
             'variantTitle', max(g.variant_title),
             'listId', coalesce((array_agg(g.list_id ORDER BY g.saved_at DESC))[1], 'default'),
             'kinds', jsonb_agg(g.kind ORDER BY array_position(precedence, g.kind)),
             'price', amount_text(max(g.price_now), s.currency),
             'previousPrice', amount_text(max(g.reference_price), s.currency),
             'compareAtPrice', amount_text(max(g.compare_at_price), s.currency),
             'inventory', max(g.inventory),
             'savedAt', to_char(max(g.saved_at) AT TIME ZONE 'UTC', iso)) AS data
      FROM grouped g WHERE g.suppressed IS NULL GROUP BY g.leader, g.variant_id
  ), items AS (
    -- A product has up to 2,048 variants, and a customer may have saved all of them.
    SELECT n.leader, amount_text(max(n.previous_price) FILTER (WHERE n.leads), s.currency) AS previous_price,
           jsonb_agg(n.data ORDER BY n.ordinal) FILTER (WHERE n.ordinal <= 100) AS data
      FROM (SELECT i.*, row_number() OVER (PARTITION BY i.leader ORDER BY i.leads DESC, i.saved_at DESC, i.variant_id) AS ordinal FROM item i) AS n
     GROUP BY n.leader
  )
  SELECT json_agg(e) FILTER (WHERE e.suppressed IS NULL AND e.id = e.leader), array_agg(e.id), array_agg(e.kind), array_agg(e.suppressed),
         array_agg(e.price_now), array_agg(e.consented_at), array_agg(e.leader)
    INTO events, ids, kinds, reasons, prices, consents, leaders
    FROM (SELECT f.id, f.kind, 'wishlist.alert.' || f.kind AS event, now_at AS at, f.customer_id, f.list_id, f.product_id, f.variant_id,
                 f.suppressed, f.price_now, f.consented_at, f.leader,
                 (jsonb_build_object(
                    'alertId', f.id,
                    'requested', f.request_id IS NOT NULL,
                    'consent', jsonb_build_object('basis', CASE WHEN a.mode = 'consent' OR f.request_id IS NOT NULL THEN 'shopper' ELSE 'none' END,
                                                  'givenAt', to_char(f.consented_at AT TIME ZONE 'UTC', iso)),
                    'currency', s.currency,
                    'url', 'https://' || s.domain || s.store_path || '/alerts/' || f.id,
                    'withdrawUrl', 'https://' || s.domain || s.store_path || '/alerts/' || f.id || '/withdraw',
                    'price', amount_text(f.price_now, s.currency),
                    'compareAtPrice', amount_text(f.compare_at_price, s.currency),
                    'productTitle', f.product_title,
                    'variantTitle', f.variant_title,
                    'handle', f.handle,
                    'productUrl', 'https://' || s.domain || '/products/' || uri_component(f.handle) || '?variant=' || uri_component(f.variant_id),
                    'imageUrl', f.image_url,
                    'locale', f.locale,
                    'items', i.data)
                  || CASE WHEN f.kind IN ('price_dropped', 'back_in_stock') THEN jsonb_build_object('previousPrice', i.previous_price) ELSE '{}' END
                  || CASE f.kind WHEN 'price_dropped' THEN '{}'
                                 WHEN 'reminder_due' THEN jsonb_build_object('savedAt', to_char(f.saved_at AT TIME ZONE 'UTC', iso))
                                 ELSE jsonb_build_object('inventory', f.inventory) END)::json AS data
            FROM grouped f LEFT JOIN items i ON i.leader = f.id
           ORDER BY f.id) AS e;
  endpoints := event_emit(p_shop_id, events);

  WITH decision AS (
    SELECT d.*, v.id AS event_id,
           coalesce(d.suppressed, CASE WHEN v.id IS NOT NULL THEN NULL WHEN d.kind = ANY (refused_by_flow) THEN 'flow_not_permitted' ELSE 'no_receiver' END) AS reason
      FROM unnest(ids, kinds, reasons, prices, consents, leaders) AS d (id, kind, suppressed, price_now, consented_at, leader)
      LEFT JOIN webhook_event v ON v.shop_id = p_shop_id AND v.id = d.leader AND d.suppressed IS NULL
  ), marked AS (
    UPDATE alert t
       SET status = CASE WHEN d.reason IS NULL THEN 'sent' ELSE 'suppressed' END, reason = d.reason,
           sent_at = CASE WHEN d.reason IS NULL THEN now_at END, event_id = d.event_id, price = coalesce(d.price_now, t.price),
           consent_at = coalesce(d.consented_at, t.consent_at)
      FROM decision d WHERE t.shop_id = p_shop_id AND t.id = d.id
    RETURNING t.status, t.request_id
  ), fulfilled AS (
    UPDATE alert_request r SET alerted_at = now_at FROM marked m WHERE r.shop_id = p_shop_id AND r.id = m.request_id AND m.status = 'sent'
  )
  SELECT count(*), count(*) FILTER (WHERE m.status = 'sent') INTO decided, sent FROM marked m;
END $$;
