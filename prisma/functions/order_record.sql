-- Records an order as the store has it now, in one transaction: its lines with saved variants, the sums of its day, hour and products, the alerts that it
-- followed, and the event of each line. The call replaces what an earlier one recorded, so it may be repeated: refunds and cancellations only make
-- units and revenue smaller.
--
-- A line counts when the order's customer had saved the variant before the order, and had it in a list at the time or removed it at most 30 days
-- before, or had an alert about it in the 30 days before that was asked for. Whether it was in a list at the time is told by the activity, because the time of a save can come from a browser. p_lines: [{"lineId", "productId", "variantId", "units": those that were not refunded, "revenue": what was paid for them}].
-- p_reports is the number of reports when the order was read: a later one makes it unread again. p_counts is false for a test order and for a cancelled one. Returns the endpoints that received deliveries.
CREATE OR REPLACE FUNCTION order_record(
  p_shop_id bigint, p_order_id text, p_reports integer, p_updated_at timestamptz, p_ordered_at timestamptz, p_currency text, p_counts boolean,
  p_lines jsonb, OUT endpoints text[]
) LANGUAGE plpgsql AS $$
DECLARE
  o store_order;
  shop_zone text;
  order_hour smallint;
  lists bigint[];
  now_at CONSTANT timestamptz := clock_timestamp();
  hour_before CONSTANT timestamptz := now_at - interval '1 hour';
  -- Citus allows no arithmetic with times in an UPDATE.
  month_before CONSTANT timestamptz := p_ordered_at - interval '30 days';
  iso CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  events json;
BEGIN
  PERFORM pg_advisory_xact_lock(advisory_lock_key('buyers', p_shop_id::text));
  SELECT * INTO o FROM store_order WHERE shop_id = p_shop_id AND order_id = p_order_id FOR UPDATE;
  -- A response about an order whose customer was erased changes nothing.
  IF NOT FOUND OR o.closed THEN
    RETURN;
  END IF;
  -- Nor does one that is older than the recorded state, as a replica's can be: the order is read again. After an hour the recorded state is the store's.
  IF o.updated_at > p_updated_at THEN
    IF o.reported_at < hour_before AND o.reports = p_reports THEN
      UPDATE store_order SET read_at = now_at WHERE shop_id = p_shop_id AND order_id = p_order_id;
    END IF;
    RETURN;
  END IF;
  SELECT time_zone INTO STRICT shop_zone FROM shop WHERE id = p_shop_id;
  o.day := coalesce(o.day, (p_ordered_at AT TIME ZONE shop_zone)::date);
  o.currency := coalesce(o.currency, p_currency);
  order_hour := extract(hour FROM p_ordered_at AT TIME ZONE shop_zone);
  SELECT array_agg(id) INTO lists FROM wishlist WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = o.customer_id;

  WITH given AS MATERIALIZED (
    SELECT l."lineId" AS line_id, l."productId" AS product_id, l."variantId" AS variant_id,
           CASE WHEN p_counts THEN l.units ELSE 0 END AS units, CASE WHEN p_counts THEN l.revenue ELSE 0 END AS revenue
      FROM jsonb_to_recordset(p_lines) AS l("lineId" text, "productId" text, "variantId" text, units integer, revenue numeric)
  ), before AS MATERIALIZED (
    SELECT * FROM order_line WHERE shop_id = p_shop_id AND order_id = p_order_id AND line_id IN (SELECT line_id FROM given)
  ), held AS MATERIALIZED (
    SELECT i.wishlist_id, i.product_id, i.variant_id, i.seq, i.added_at AS at
      FROM (SELECT DISTINCT product_id, variant_id FROM given) AS g
     CROSS JOIN unnest(lists) AS l (id)
      JOIN wishlist_item i ON i.shop_id = p_shop_id AND i.wishlist_id = l.id AND i.product_id = g.product_id AND i.variant_id = g.variant_id
     WHERE i.added_at < p_ordered_at
     UNION ALL
    SELECT a.wishlist_id, a.product_id, a.variant_id, (a.before->>'seq')::bigint, to_timestamp((a.before->>'addedAt')::bigint / 1000.0)
      FROM activity a
     WHERE a.shop_id = p_shop_id AND a.wishlist_id = ANY (lists) AND a.kind = 'removed' AND a.at > month_before
       AND (a.product_id, a.variant_id) IN (SELECT product_id, variant_id FROM given)
       AND to_timestamp((a.before->>'addedAt')::bigint / 1000.0) < p_ordered_at
  ), saved AS MATERIALIZED (
    -- Not what came into the list after the order under an earlier time: a merge names any time, a login and a restore bring theirs along. What was moved from
    -- another list counts there. A file that the merchant imports is believed.
    SELECT h.* FROM held h
     WHERE NOT EXISTS (SELECT 1 FROM activity a
                        WHERE a.shop_id = p_shop_id AND a.wishlist_id = h.wishlist_id AND a.item_seq = h.seq AND a.at >= p_ordered_at
                          AND (a.kind = 'added' AND a.source <> 'import' OR a.kind = 'updated' AND (a.before->>'seq')::bigint <> a.item_seq))
  ), first_saved AS MATERIALIZED (
    -- What was asked for without an account is in no list. A list that has the variant is the better answer, whenever it was saved.
    SELECT DISTINCT ON (s.product_id, s.variant_id) s.product_id, s.variant_id, s.at, s.list_id, s.requested
      FROM (SELECT s.product_id, s.variant_id, s.at, nullif(w.handle, 'default') AS list_id, s.wishlist_id, false AS requested
              FROM saved s JOIN wishlist w ON w.shop_id = p_shop_id AND w.id = s.wishlist_id
             UNION ALL
            SELECT a.product_id, a.variant_id, a.saved_at, NULL, NULL, true
              FROM alert a
             WHERE a.shop_id = p_shop_id AND a.customer_id = o.customer_id AND a.request_id IS NOT NULL AND a.status = 'sent'
               AND a.sent_at BETWEEN month_before AND p_ordered_at AND (a.product_id, a.variant_id) IN (SELECT product_id, variant_id FROM given)) AS s
     ORDER BY s.product_id, s.variant_id, s.requested, s.at, s.wishlist_id
  ), attributed AS MATERIALIZED (
    -- What has counted once keeps counting, also when the list's activity has been purged since.
    SELECT g.*, coalesce(b.list_id, f.list_id) AS list_id, coalesce(b.requested, f.requested) AS requested, coalesce(b.saved_at, f.at) AS saved_at,
            b.line_id IS NULL AND g.units > 0 AS is_new
      FROM given g
      LEFT JOIN first_saved f ON f.product_id = g.product_id AND f.variant_id = g.variant_id
      LEFT JOIN before b ON b.line_id = g.line_id
     WHERE b.line_id IS NOT NULL OR (f.at IS NOT NULL AND g.units > 0)
  ), stored AS (
    INSERT INTO order_line AS t (shop_id, order_id, line_id, customer_id, product_id, variant_id, list_id, requested, saved_at, ordered_at, units, revenue)
    SELECT p_shop_id, p_order_id, a.line_id, o.customer_id, a.product_id, a.variant_id, a.list_id, a.requested, a.saved_at, p_ordered_at, a.units, a.revenue
      FROM attributed a
        ON CONFLICT (shop_id, order_id, line_id) DO UPDATE SET units = EXCLUDED.units, revenue = EXCLUDED.revenue
     WHERE (t.units, t.revenue) IS DISTINCT FROM (EXCLUDED.units, EXCLUDED.revenue)
  ), products AS (
    SELECT c.product_id, max(c.after)::integer - max(c.before)::integer AS orders, sum(c.units) AS units, sum(c.revenue) AS revenue
      FROM (SELECT product_id, units, revenue, sign(units) AS after, 0 AS before FROM attributed
             UNION ALL
            SELECT product_id, -units, -revenue, 0, sign(units) FROM before) AS c
     GROUP BY c.product_id
  ), product_sums AS (
    INSERT INTO product_revenue AS t (shop_id, product_id, day, currency, orders, units, revenue)
    SELECT p_shop_id, c.product_id, o.day, o.currency, c.orders, c.units, c.revenue FROM products c
     WHERE c.orders <> 0 OR c.units <> 0 OR c.revenue <> 0
        ON CONFLICT (shop_id, product_id, day, currency) DO UPDATE
       SET orders = t.orders + EXCLUDED.orders, units = t.units + EXCLUDED.units, revenue = t.revenue + EXCLUDED.revenue
  ), total AS (
    SELECT p_counts::integer - o.counted::integer AS orders,
           coalesce((SELECT max(sign(units)) FROM attributed), 0) - coalesce((SELECT max(sign(units)) FROM before), 0) AS saved_orders,
           coalesce((SELECT sum(units) FROM products), 0) AS units, coalesce((SELECT sum(revenue) FROM products), 0) AS revenue
  ), sums AS (
    INSERT INTO revenue_daily AS t (shop_id, day, currency, orders, saved_orders, units, revenue)
    SELECT p_shop_id, o.day, o.currency, c.orders, c.saved_orders, c.units, c.revenue FROM total c
     WHERE c.orders <> 0 OR c.saved_orders <> 0 OR c.units <> 0 OR c.revenue <> 0
        ON CONFLICT (shop_id, day, currency) DO UPDATE
       SET orders = t.orders + EXCLUDED.orders, saved_orders = t.saved_orders + EXCLUDED.saved_orders,
           units = t.units + EXCLUDED.units, revenue = t.revenue + EXCLUDED.revenue
  ), hour_sums AS (
    INSERT INTO revenue_hourly AS t (shop_id, day, hour, currency, orders, saved_orders, units, revenue)
    SELECT p_shop_id, o.day, order_hour, o.currency, c.orders, c.saved_orders, c.units, c.revenue FROM total c
     WHERE c.orders <> 0 OR c.saved_orders <> 0 OR c.units <> 0 OR c.revenue <> 0
        ON CONFLICT (shop_id, day, hour, currency) DO UPDATE
       SET orders = t.orders + EXCLUDED.orders, saved_orders = t.saved_orders + EXCLUDED.saved_orders,
           units = t.units + EXCLUDED.units, revenue = t.revenue + EXCLUDED.revenue
  ), outcomes AS (
    UPDATE alert t SET bought_at = p_ordered_at
     WHERE t.shop_id = p_shop_id AND t.customer_id = o.customer_id AND t.variant_id IN (SELECT n.variant_id FROM attributed n WHERE n.is_new)
       AND t.status = 'sent' AND t.bought_at IS NULL AND t.sent_at BETWEEN month_before AND p_ordered_at
  )
  SELECT json_agg(e) INTO events
    FROM (SELECT 'wishlist.item.bought' AS event, now_at AS at, o.customer_id, n.list_id, n.product_id, n.variant_id,
                 json_build_object('orderId', p_order_id, 'quantity', n.units, 'revenue', amount_text(n.revenue, o.currency), 'currency', o.currency,
                                   'requested', n.requested, 'savedAt', to_char(n.saved_at AT TIME ZONE 'UTC', iso)) AS data
            FROM attributed n WHERE n.is_new) AS e;
  endpoints := event_emit(p_shop_id, events);
  IF o.customer_id IS NOT NULL THEN
    PERFORM shopper_count_buyer(p_shop_id, o.customer_id, p_order_id);
  END IF;

  UPDATE store_order t
     SET updated_at = p_updated_at, ordered_at = p_ordered_at, day = o.day, currency = o.currency, counted = p_counts,
         read_at = CASE WHEN t.reports = p_reports THEN now_at END,
         -- Whose orders have no saved items is nothing to keep.
         customer_id = CASE WHEN EXISTS (SELECT 1 FROM order_line l WHERE l.shop_id = p_shop_id AND l.order_id = p_order_id) THEN t.customer_id END
   WHERE t.shop_id = p_shop_id AND t.order_id = p_order_id;
END $$;
