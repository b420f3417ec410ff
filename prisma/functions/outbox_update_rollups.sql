-- Adds a batch of a shop's activity to the rollups: shoppers and their active days, sums per day, hour and product, saved items per product and variant.
--
-- The effect of a row follows from its kind (added, removed, updated, shared, carted, merged, list_…) and its source:
--   api, storefront, cart, merge    a change by the shopper: reports count it, and the shopper is active that day
--   move, restore                   the shopper is active, but what was moved or brought back counts neither as added nor as removed
--   guest_merge                     a guest's items become a customer's: added for the customer, removed for the guest
--   staff, import, purge, erasure   no shopper acted
-- An added or removed row changes the number of saved items, whatever its source. A removed list is one removed row per item.
CREATE OR REPLACE FUNCTION outbox_update_rollups(p_shop_id bigint, p_batch activity[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  shopper_sources CONSTANT text[] := ARRAY['api', 'storefront', 'cart', 'merge'];
  active_sources CONSTANT text[] := shopper_sources || ARRAY['move', 'restore'];
  shop_zone text;
  f record;
BEGIN
  SELECT time_zone INTO STRICT shop_zone FROM shop WHERE id = p_shop_id;
  FOR f IN SELECT b.owner_id, b.merged_guest_id FROM unnest(p_batch) AS b WHERE b.kind = 'merged' ORDER BY b.id LOOP
    PERFORM shopper_merge_guest(p_shop_id, f.merged_guest_id, f.owner_id);
  END LOOP;

  -- The LIMIT makes the planner look shoppers up row by row, by their keys. It can't know how long a batch is and would join whole tables.
  WITH acting AS MATERIALIZED (
    SELECT a.owner_kind, a.owner_id, a.day, k.id, k.alias_of, k.last_active_on
      FROM (SELECT DISTINCT b.owner_kind, b.owner_id, b.day FROM unnest(p_batch) AS b WHERE b.source = ANY (active_sources)) AS a
      LEFT JOIN LATERAL (SELECT s.id, s.alias_of, s.last_active_on FROM shopper s
                          WHERE s.shop_id = p_shop_id AND s.owner_kind = a.owner_kind AND s.owner_id = a.owner_id LIMIT 1) AS k
        ON true
  ), created AS (
    INSERT INTO shopper (shop_id, owner_kind, owner_id, last_active_on)
    SELECT p_shop_id, owner_kind, owner_id, max(day) FROM acting WHERE id IS NULL GROUP BY owner_kind, owner_id
    RETURNING id, owner_kind, owner_id, last_active_on
  ), active_days AS MATERIALIZED (
    -- A shopper's last active day is in shopper_day already, and most changes are of that day.
    SELECT DISTINCT s.id, g.day, s.last_active_on
      FROM acting g
     CROSS JOIN LATERAL (SELECT g.id, g.last_active_on WHERE g.alias_of IS NULL
                          UNION ALL
                         SELECT k.id, k.last_active_on FROM shopper k WHERE k.shop_id = p_shop_id AND k.id = g.alias_of
                          LIMIT 1) AS s
     WHERE g.id IS NOT NULL AND s.last_active_on IS DISTINCT FROM g.day
  ), new_days AS (
    INSERT INTO shopper_day (shop_id, shopper_id, day)
    SELECT p_shop_id, id, day FROM active_days
    UNION ALL
    SELECT p_shop_id, m.id, g.day
      FROM created m JOIN acting g ON g.id IS NULL AND g.owner_kind = m.owner_kind AND g.owner_id = m.owner_id
        ON CONFLICT (shop_id, shopper_id, day) DO NOTHING
    RETURNING day
  ), moved AS (
    UPDATE shopper s SET last_active_on = l.day
      FROM (SELECT id, last_active_on AS before, max(day) AS day FROM active_days GROUP BY id, last_active_on) AS l
     WHERE s.shop_id = p_shop_id AND s.id = l.id AND (l.before IS NULL OR l.before < l.day)
    RETURNING l.before, l.day
  ), changes (day, added, removed, carted, cohort, shoppers, seen) AS (
    SELECT b.day, count(*) FILTER (WHERE b.kind = 'added'), count(*) FILTER (WHERE b.kind = 'removed'),
           count(*) FILTER (WHERE b.kind = 'carted'), 0, 0, 0
      FROM unnest(p_batch) AS b WHERE b.source = ANY (shopper_sources) GROUP BY b.day
    UNION ALL
    SELECT b.saved_on, 0, 0, 0, count(*), 0, 0
      FROM unnest(p_batch) AS b WHERE b.kind = 'carted' AND b.saved_on IS NOT NULL GROUP BY b.saved_on
    UNION ALL
    SELECT day, 0, 0, 0, 0, count(*), 0 FROM new_days GROUP BY day
    UNION ALL
    SELECT day, 0, 0, 0, 0, 0, count(*) FROM moved GROUP BY day
    UNION ALL
    SELECT last_active_on, 0, 0, 0, 0, 0, count(*) FROM created GROUP BY last_active_on
    UNION ALL
    SELECT before, 0, 0, 0, 0, 0, -count(*) FROM moved WHERE before IS NOT NULL GROUP BY before
  )
  INSERT INTO daily_stats AS t (shop_id, day, items_added, items_removed, carted, cohort_carted, unique_shoppers, last_seen)
  SELECT p_shop_id, day, sum(added), sum(removed), sum(carted), sum(cohort), sum(shoppers), sum(seen)
    FROM changes GROUP BY day
      ON CONFLICT (shop_id, day) DO UPDATE
     SET items_added = t.items_added + EXCLUDED.items_added, items_removed = t.items_removed + EXCLUDED.items_removed,
         carted = t.carted + EXCLUDED.carted, cohort_carted = t.cohort_carted + EXCLUDED.cohort_carted,
         unique_shoppers = t.unique_shoppers + EXCLUDED.unique_shoppers, last_seen = t.last_seen + EXCLUDED.last_seen;

  -- The day was fixed when the row was written, the hour is that of the shop's present clock.
  INSERT INTO activity_hourly AS t (shop_id, day, hour, owner_kind, source, items_added, items_removed, carted, shared)
  SELECT p_shop_id, b.day, extract(hour FROM b.at AT TIME ZONE shop_zone)::smallint AS hour, b.owner_kind, b.source,
         count(*) FILTER (WHERE b.kind = 'added'), count(*) FILTER (WHERE b.kind = 'removed'),
         count(*) FILTER (WHERE b.kind = 'carted'), count(*) FILTER (WHERE b.kind = 'shared')
    FROM unnest(p_batch) AS b
   WHERE b.source = ANY (shopper_sources) AND b.kind IN ('added', 'removed', 'carted', 'shared')
   GROUP BY b.day, hour, b.owner_kind, b.source
      ON CONFLICT (shop_id, day, hour, owner_kind, source) DO UPDATE
     SET items_added = t.items_added + EXCLUDED.items_added, items_removed = t.items_removed + EXCLUDED.items_removed,
         carted = t.carted + EXCLUDED.carted, shared = t.shared + EXCLUDED.shared;

  INSERT INTO product_daily AS t (shop_id, product_id, day, items_added, items_removed, carted)
  SELECT p_shop_id, b.product_id, b.day, count(*) FILTER (WHERE b.kind = 'added'),
         count(*) FILTER (WHERE b.kind = 'removed'), count(*) FILTER (WHERE b.kind = 'carted')
    FROM unnest(p_batch) AS b
   WHERE b.source = ANY (shopper_sources) AND b.kind IN ('added', 'removed', 'carted')
   GROUP BY b.product_id, b.day
      ON CONFLICT (shop_id, product_id, day) DO UPDATE
     SET items_added = t.items_added + EXCLUDED.items_added, items_removed = t.items_removed + EXCLUDED.items_removed,
         carted = t.carted + EXCLUDED.carted;

  INSERT INTO variant_stats AS t (shop_id, product_id, variant_id, wishlist_count)
  SELECT p_shop_id, b.product_id, b.variant_id, sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END) AS net
    FROM unnest(p_batch) AS b
   WHERE b.kind IN ('added', 'removed')
   GROUP BY b.product_id, b.variant_id
  HAVING sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END) <> 0
      ON CONFLICT (shop_id, product_id, variant_id) DO UPDATE SET wishlist_count = t.wishlist_count + EXCLUDED.wishlist_count;

  INSERT INTO product_stats AS t (shop_id, product_id, wishlist_count)
  SELECT p_shop_id, b.product_id, sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END)
    FROM unnest(p_batch) AS b
   WHERE b.kind IN ('added', 'removed')
   GROUP BY b.product_id
  HAVING sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END) <> 0
      ON CONFLICT (shop_id, product_id) DO UPDATE SET wishlist_count = t.wishlist_count + EXCLUDED.wishlist_count;
END $$;
