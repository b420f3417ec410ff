-- Adds a batch of a shop's activity to the rollups: shoppers, their active days and first saves, sums per day, hour and product, saved items per product
-- and variant.
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
  -- What shoppers did by day: owner, day and whether they saved, with the shopper who it was, if known: a guest who logged in is the customer.
  act_kinds text[];
  act_owners text[];
  act_days date[];
  act_saves boolean[];
  act_ids bigint[];
  act_last_days date[];
  -- Known shoppers: further days after the last active one, which is nearly all of them; other further days; an earlier first save.
  later_ids bigint[];
  later_days date[];
  later_last_days date[];
  later_first_saves date[];
  returned_ids bigint[];
  returned_since date;
  resaved_ids bigint[];
  created_ids bigint[];
  marks_before shopper_count[];
BEGIN
  -- The orders of a customer whose first save this is count from now on, so none may be recorded meanwhile.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('buyers', p_shop_id::text));
  SELECT time_zone INTO STRICT shop_zone FROM shop WHERE id = p_shop_id;
  FOR f IN SELECT b.owner_id, b.merged_guest_id FROM unnest(p_batch) AS b WHERE b.kind = 'merged' ORDER BY b.id LOOP
    PERFORM shopper_merge_guest(p_shop_id, f.merged_guest_id, f.owner_id);
  END LOOP;

  -- The LIMIT makes the planner look shoppers up row by row, by their keys. It can't know how long a batch is and would join whole tables.
  SELECT array_agg(a.owner_kind), array_agg(a.owner_id), array_agg(a.day), array_agg(a.saves), array_agg(a.id), array_agg(a.last_day),
         array_agg(DISTINCT a.id) FILTER (WHERE a.is_resaved),
         array_agg(DISTINCT a.id) FILTER (WHERE a.is_new AND NOT a.follows AND NOT a.is_resaved),
         min(a.day) FILTER (WHERE a.is_new AND NOT a.follows AND NOT a.is_resaved),
         array_agg(a.id) FILTER (WHERE a.is_new AND a.follows AND NOT a.is_resaved),
         array_agg(a.day) FILTER (WHERE a.is_new AND a.follows AND NOT a.is_resaved),
         array_agg(a.last_day) FILTER (WHERE a.is_new AND a.follows AND NOT a.is_resaved),
         array_agg(a.first_save) FILTER (WHERE a.is_new AND a.follows AND NOT a.is_resaved)
    INTO act_kinds, act_owners, act_days, act_saves, act_ids, act_last_days,
         resaved_ids, returned_ids, returned_since, later_ids, later_days, later_last_days, later_first_saves
    FROM (SELECT b.owner_kind, b.owner_id, b.day, b.saves, s.id, s.last_active_on AS last_day, s.first_saved_on AS first_save,
                 s.id IS NOT NULL AND s.last_active_on IS DISTINCT FROM b.day AS is_new,
                 coalesce(bool_and(b.day >= s.last_active_on) OVER of_shopper, false) AS follows,
                 s.id IS NOT NULL AND bool_or(b.saves AND (s.first_saved_on IS NULL OR b.day < s.first_saved_on)) OVER of_shopper AS is_resaved
            FROM (SELECT r.owner_kind, r.owner_id, r.day, bool_or(r.kind = 'added' AND r.source = ANY (shopper_sources)) AS saves
                    FROM unnest(p_batch) AS r WHERE r.source = ANY (active_sources) GROUP BY r.owner_kind, r.owner_id, r.day) AS b
            LEFT JOIN LATERAL (SELECT k.* FROM shopper k
                                WHERE k.shop_id = p_shop_id AND k.owner_kind = b.owner_kind AND k.owner_id = b.owner_id LIMIT 1) AS g ON true
            LEFT JOIN LATERAL (SELECT g.id, g.last_active_on, g.first_saved_on WHERE g.alias_of IS NULL
                                UNION ALL
                               SELECT k.id, k.last_active_on, k.first_saved_on FROM shopper k WHERE k.shop_id = p_shop_id AND k.id = g.alias_of
                                LIMIT 1) AS s ON s.id IS NOT NULL
          WINDOW of_shopper AS (PARTITION BY s.id)) AS a;
  marks_before := shopper_marks(p_shop_id, returned_ids, returned_since)
               || shopper_marks(p_shop_id, resaved_ids, '-infinity');

  WITH acting AS MATERIALIZED (
    SELECT a.* FROM unnest(act_kinds, act_owners, act_days, act_saves, act_ids, act_last_days) AS a (owner_kind, owner_id, day, saves, id, last_active_on)
  ), created AS (
    INSERT INTO shopper (shop_id, owner_kind, owner_id, last_active_on, first_saved_on)
    SELECT p_shop_id, owner_kind, owner_id, max(day), min(day) FILTER (WHERE saves) FROM acting WHERE id IS NULL GROUP BY owner_kind, owner_id
    RETURNING id, owner_kind, owner_id, last_active_on
  ), active_days AS MATERIALIZED (
    -- A shopper's last active day is in shopper_day already, and most changes are of that day.
    SELECT DISTINCT g.id, g.day, g.last_active_on FROM acting g WHERE g.id IS NOT NULL AND g.last_active_on IS DISTINCT FROM g.day
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

  UPDATE shopper s SET first_saved_on = l.day
    FROM (SELECT a.id, min(a.day) AS day FROM unnest(act_ids, act_days, act_saves) AS a (id, day, saves) WHERE a.id = ANY (resaved_ids) AND a.saves GROUP BY a.id) AS l
   WHERE s.shop_id = p_shop_id AND s.id = l.id;
  SELECT array_agg(DISTINCT s.id) INTO created_ids
    FROM unnest(act_kinds, act_owners, act_ids) AS a (owner_kind, owner_id, id)
   CROSS JOIN LATERAL (SELECT k.id FROM shopper k
                        WHERE k.shop_id = p_shop_id AND k.owner_kind = a.owner_kind AND k.owner_id = a.owner_id LIMIT 1) AS s
   WHERE a.id IS NULL;
  UPDATE shopper s SET bought_order_id = o.order_id
    FROM (SELECT c.id, l.order_id
            FROM unnest(created_ids) AS c (id)
           CROSS JOIN LATERAL (SELECT k.owner_id FROM shopper k WHERE k.shop_id = p_shop_id AND k.id = c.id AND k.owner_kind = 'customer' LIMIT 1) AS k
           CROSS JOIN LATERAL (SELECT min(l.order_id) AS order_id FROM order_line l
                                WHERE l.shop_id = p_shop_id AND l.customer_id = k.owner_id AND l.units > 0) AS l
           WHERE l.order_id IS NOT NULL) AS o
   WHERE s.shop_id = p_shop_id AND s.id = o.id;
  PERFORM shopper_count_change(p_shop_id, marks_before,
                               shopper_marks_later(p_shop_id, later_ids, later_days, later_last_days, later_first_saves)
                               || shopper_marks(p_shop_id, returned_ids, returned_since)
                               || shopper_marks(p_shop_id, resaved_ids || created_ids, '-infinity'));

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
