-- Creates the alerts of a shop's oldest open occurrence for up to p_limit items that have its variant, and then for as many requests for it, and remembers
-- how far it has come: a call that is repeated, or that another process continues, creates no alert twice. Returns the number of looked-at items and
-- requests; 0 without an occurrence that is due, NULL while another process works on the shop's alerts.
CREATE OR REPLACE FUNCTION alert_fan_out(p_shop_id bigint, p_limit integer, OUT looked_at integer, OUT created integer) LANGUAGE plpgsql AS $$
DECLARE
  a alert_settings;
  o alert_occurrence;
  s shop;
  -- Whole milliseconds, as columns have: what is due at once is due to the next step.
  now_at CONSTANT timestamptz := date_trunc('milliseconds', clock_timestamp());
  alerts_due timestamptz := now_at;
  is_current boolean;
  -- Of price drops that were withheld until the variant's return to stock; see alert_detect.
  after_return boolean;
  reached record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(advisory_lock_key('alerts', p_shop_id::text)) THEN
    RETURN;
  END IF;
  looked_at := 0;
  created := 0;
  SELECT * INTO o FROM alert_occurrence WHERE shop_id = p_shop_id AND status = 'open' AND due_at <= now_at ORDER BY due_at, id LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT * INTO STRICT s FROM shop WHERE id = p_shop_id;
  SELECT * INTO a FROM alert_settings WHERE shop_id = p_shop_id;
  after_return := o.kind = 'price_dropped' AND o.price >= o.old_price;
  IF o.kind = 'reminder_due' THEN
    is_current := true;
  ELSE
    SELECT v.deleted_at IS NULL AND p.deleted_at IS NULL AND product_is_published(p.status, p.published_at, now_at)
           AND CASE WHEN o.kind = 'price_dropped' AND NOT after_return THEN v.price < o.old_price
                    WHEN o.kind = 'low_stock' THEN v.inventory BETWEEN 1 AND a.low_stock_quantity
                    -- It was available all the time since.
                    ELSE v.available AND NOT EXISTS (
                             SELECT 1 FROM variant_change c
                              WHERE c.shop_id = p_shop_id AND c.variant_id = o.variant_id AND c.id > o.change_id AND c.available <> c.old_available AND NOT c.available) END
      INTO is_current
      FROM variant v JOIN product p ON p.shop_id = p_shop_id AND p.product_id = v.product_id
     WHERE v.shop_id = p_shop_id AND v.variant_id = o.variant_id AND v.product_id = o.product_id;
  END IF;
  -- An occurrence that is a day old, as after an outage, is no news any more.
  IF is_current IS NOT TRUE OR s.uninstalled_at IS NOT NULL OR o.kind = ANY (a.kinds) IS NOT TRUE OR o.due_at < now_at - interval '1 day' THEN
    UPDATE alert_occurrence SET status = 'cancelled', finished_at = now_at WHERE shop_id = p_shop_id AND id = o.id;
    looked_at := 1;
    RETURN;
  END IF;
  IF a.digest_at IS NOT NULL THEN
    SELECT min(t.at) INTO alerts_due
      FROM (SELECT ((now_at AT TIME ZONE s.time_zone)::date + n + make_time(a.digest_at, 0, 0)) AT TIME ZONE s.time_zone AS at FROM generate_series(0, 1) AS n) AS t
     WHERE t.at > now_at;
  END IF;

  WITH page AS MATERIALIZED (
    (SELECT i.* FROM wishlist_item i
      WHERE o.kind <> 'reminder_due' AND i.shop_id = p_shop_id AND i.product_id = o.product_id AND i.variant_id = o.variant_id
        AND i.wishlist_id > o.last_wishlist_id
      ORDER BY i.wishlist_id LIMIT p_limit)
    UNION ALL
    (SELECT i.* FROM wishlist_item i
      WHERE o.kind = 'reminder_due' AND i.shop_id = p_shop_id
        AND (i.wishlist_id, i.product_id, i.variant_id) > (o.last_wishlist_id, o.last_product_id, o.last_variant_id)
      ORDER BY i.wishlist_id, i.product_id, i.variant_id LIMIT p_limit)
  ), requested AS MATERIALIZED (
    SELECT r.* FROM alert_request r
     WHERE (SELECT count(*) FROM page) < p_limit AND r.shop_id = p_shop_id AND r.variant_id = o.variant_id AND r.kind = o.kind AND r.id > o.last_request_id
       AND r.product_id = o.product_id AND r.confirmed_at IS NOT NULL AND r.alerted_at IS NULL
     ORDER BY r.id LIMIT p_limit
  ), owned AS (
    SELECT i.*, w.owner_id AS customer_id, nullif(w.handle, 'default') AS list_id,
           -- What the shopper saw last: the price when it was saved, or that of the last alert since then. A bounce is no second drop.
           CASE WHEN o.kind = 'price_dropped' THEN
             least(coalesce(CASE WHEN s.currency_changed_at IS NULL OR i.added_at > s.currency_changed_at THEN i.saved_price END,
                            withheld.reference_price, o.old_price),
                   (SELECT min(p.price) FROM alert p
                     WHERE p.shop_id = p_shop_id AND p.customer_id = w.owner_id AND p.variant_id = i.variant_id AND p.kind = 'price_dropped'
                       AND p.status = 'sent' AND p.created_at >= i.added_at
                       AND (s.currency_changed_at IS NULL OR p.created_at > s.currency_changed_at)))
           END AS reference
      FROM page i JOIN wishlist w ON w.shop_id = p_shop_id AND w.id = i.wishlist_id AND w.owner_kind = 'customer' AND w.deleted_at IS NULL
      LEFT JOIN LATERAL (
        SELECT h.reference_price FROM alert h
         WHERE after_return AND h.shop_id = p_shop_id AND h.customer_id = w.owner_id AND h.variant_id = i.variant_id
           AND h.kind = 'price_dropped' AND h.reason = 'sold_out' AND h.created_at >= i.added_at
           AND (s.currency_changed_at IS NULL OR h.created_at > s.currency_changed_at)
         ORDER BY h.created_at DESC LIMIT 1
      ) AS withheld ON true
     WHERE (o.kind <> 'reminder_due' OR (i.saved_on = o.day - a.reminder_days AND i.carted_at IS NULL))
       AND (NOT after_return OR withheld.reference_price IS NOT NULL)
       -- Who has asked for this variant gets what was asked for.
       AND NOT EXISTS (SELECT 1 FROM alert_request r
                        WHERE r.shop_id = p_shop_id AND r.customer_id = w.owner_id AND r.variant_id = i.variant_id AND r.kind = o.kind
                          AND r.confirmed_at IS NOT NULL AND r.alerted_at IS NULL)
  ), by_request AS (
    SELECT r.*, CASE WHEN o.kind = 'price_dropped' THEN
                  coalesce(CASE WHEN s.currency_changed_at IS NULL OR r.created_at > s.currency_changed_at THEN r.reference_price END, o.old_price) END AS reference
      FROM requested r
  ), crossing AS (
    SELECT g.*, consented.at AS consent_at
      FROM owned g
      LEFT JOIN LATERAL (
        SELECT c.given, CASE WHEN a.mode = 'consent' THEN c.at END AS at FROM alert_consent c
         WHERE c.shop_id = p_shop_id AND c.customer_id = g.customer_id AND c.kind = o.kind ORDER BY c.id DESC LIMIT 1
      ) AS consented ON true
     -- A withdrawal counts in every mode.
     WHERE coalesce(consented.given, a.mode = 'merchant_managed')
       AND (o.kind <> 'price_dropped' OR o.price <= g.reference * (100 - a.price_drop_percent) / 100)
       AND (o.kind <> 'reminder_due' OR EXISTS (
             SELECT 1 FROM variant v WHERE v.shop_id = p_shop_id AND v.variant_id = g.variant_id AND v.product_id = g.product_id
                AND v.available AND v.deleted_at IS NULL))
  ), inserted AS (
    INSERT INTO alert (shop_id, id, occurrence_id, kind, customer_id, wishlist_id, request_id, list_id, product_id, variant_id, saved_at,
                       reference_price, price, consent_at, created_at, due_at)
    SELECT p_shop_id, uuid_v7(), o.id, o.kind, g.customer_id, g.wishlist_id, g.request_id, g.list_id, g.product_id, g.variant_id, g.saved_at,
           g.reference, o.price, g.consent_at, now_at, alerts_due
      FROM (SELECT c.customer_id, c.wishlist_id, NULL::uuid AS request_id, c.list_id, c.product_id, c.variant_id, c.added_at AS saved_at, c.reference,
                   c.consent_at
              FROM crossing c
             UNION ALL
            SELECT r.customer_id, NULL, r.id, NULL, r.product_id, r.variant_id, r.created_at, r.reference, r.confirmed_at
              FROM by_request r
             WHERE o.kind <> 'price_dropped'
                OR (CASE WHEN r.target_price IS NULL THEN o.price <= r.reference * (100 - a.price_drop_percent) / 100 ELSE o.price <= r.target_price END)) AS g
        ON CONFLICT (shop_id, customer_id, variant_id, occurrence_id) DO NOTHING
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM page) AS items, (SELECT count(*) FROM requested) AS requests, (SELECT count(*) FROM inserted) AS created,
         p.wishlist_id, p.product_id, p.variant_id, (SELECT r.id FROM requested r ORDER BY r.id DESC LIMIT 1) AS request_id
    INTO reached
    FROM (SELECT 1) AS one
    LEFT JOIN LATERAL (SELECT * FROM page ORDER BY page.wishlist_id DESC, page.product_id DESC, page.variant_id DESC LIMIT 1) AS p ON true;

  looked_at := reached.items + reached.requests;
  created := reached.created;
  IF reached.items < p_limit AND reached.requests < p_limit THEN
    UPDATE alert_occurrence SET status = 'done', finished_at = now_at, alerts = o.alerts + created WHERE shop_id = p_shop_id AND id = o.id;
    -- An occurrence that nobody waits for is progress, too.
    looked_at := greatest(looked_at, 1);
  ELSE
    UPDATE alert_occurrence f
       SET last_wishlist_id = coalesce(reached.wishlist_id, f.last_wishlist_id), last_product_id = coalesce(reached.product_id, f.last_product_id),
           last_variant_id = coalesce(reached.variant_id, f.last_variant_id), last_request_id = coalesce(reached.request_id, f.last_request_id),
           alerts = f.alerts + created
     WHERE f.shop_id = p_shop_id AND f.id = o.id;
  END IF;
END $$;
