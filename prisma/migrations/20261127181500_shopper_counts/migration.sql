-- Shoppers counted by two days, so that the reports know how many were active in any period, and what became of those who first saved on a day. The marks
-- that a shopper counts in are those of the function shopper_marks.

-- A batch that the function of the release before processes after this migration would be missing in the counts for good. So no batch may be in the middle
-- of it (a batch begins with set_aside, whose lock later ones wait for), and the functions that count come with the tables, at the end: as they were when
-- this migration was written. The others of the release follow after all migrations.
LOCK TABLE set_aside IN ACCESS EXCLUSIVE MODE;

CREATE TABLE shopper_count (
  shop_id   bigint  NOT NULL,
  kind      text    NOT NULL,
  day       date    NOT NULL,
  other_day date    NOT NULL,
  shoppers  integer NOT NULL,
  PRIMARY KEY (shop_id, kind, day, other_day)
) WITH (fillfactor = 70);

ALTER TABLE shopper ADD COLUMN first_saved_on date;
-- The order by which a customer counts as one who bought a saved item.
ALTER TABLE shopper ADD COLUMN bought_order_id text;

-- Of shoppers until now, the first active day that is kept counts as that of the first save: whoever uses a wishlist begins with it.
UPDATE shopper s SET first_saved_on = coalesce(d.day, s.last_active_on)
  FROM (SELECT k.shop_id, k.id, (SELECT min(a.day) FROM shopper_day a WHERE a.shop_id = k.shop_id AND a.shopper_id = k.id) AS day FROM shopper k) AS d
 WHERE d.shop_id = s.shop_id AND d.id = s.id AND s.alias_of IS NULL AND s.last_active_on IS NOT NULL;

-- An order that the function of the release before records meanwhile is found with the customer's next one.
UPDATE shopper s SET bought_order_id = o.order_id
  FROM (SELECT l.shop_id, l.customer_id, min(l.order_id) AS order_id FROM order_line l WHERE l.units > 0 GROUP BY l.shop_id, l.customer_id) AS o
 WHERE o.shop_id = s.shop_id AND s.owner_kind = 'customer' AND s.owner_id = o.customer_id;

WITH active AS MATERIALIZED (
  SELECT d.shop_id, d.day, lag(d.day) OVER (PARTITION BY d.shop_id, d.shopper_id ORDER BY d.day) AS before, s.first_saved_on AS saved
    FROM shopper_day d JOIN shopper s ON s.shop_id = d.shop_id AND s.id = d.shopper_id
)
INSERT INTO shopper_count (shop_id, kind, day, other_day, shoppers)
SELECT shop_id, 'active', day, coalesce(before, day), count(*) FROM active GROUP BY 1, 3, 4
UNION ALL
SELECT shop_id, 'week', saved, date_trunc('week', day::timestamp)::date, count(*) FROM active
 WHERE before IS NULL OR date_trunc('week', before::timestamp) < date_trunc('week', day::timestamp) GROUP BY 1, 3, 4
UNION ALL
SELECT shop_id, 'month', saved, date_trunc('month', day::timestamp)::date, count(*) FROM active
 WHERE before IS NULL OR date_trunc('month', before::timestamp) < date_trunc('month', day::timestamp) GROUP BY 1, 3, 4
UNION ALL
SELECT s.shop_id, m.kind, s.first_saved_on, s.first_saved_on, count(*)
  FROM shopper s
 CROSS JOIN LATERAL (VALUES ('saved', true), ('customer', s.owner_kind = 'customer'), ('returned', s.last_active_on > s.first_saved_on),
                            ('bought', s.bought_order_id IS NOT NULL)) AS m (kind, counts)
 WHERE s.first_saved_on IS NOT NULL AND m.counts GROUP BY 1, 2, 3;

-- Returns the key of an advisory lock. All advisory locks of the SQL functions use it, so this is the list of their classes:
--   outbox: processing a shop's activity; p_subject is the shop's id
--   alerts: detecting, fanning out and releasing a shop's alerts, and erasing a customer; p_subject is the shop's id
--   consent: changing what a customer has asked for; p_subject is the shop's id and the customer's id
--   guest:  changing a guest's list, or merging it into a customer's; p_subject is the shop's id and the guest's id
--   summary: bringing the summaries of a shop's lists up to date; p_subject is the shop's id
--   contact: asking by an address; p_subject is the shop's id and the hash of the address
--   buyers: counting a shop's shoppers, and recording its orders; p_subject is the shop's id
--   email:  counting the messages to a customer; p_subject is the shop's id and the customer's id
-- A class never gets another number: processes of two releases lock each other out during a rolling start.
CREATE OR REPLACE FUNCTION advisory_lock_key(p_class text, p_subject text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE p_class
    WHEN 'outbox' THEN RETURN hashtextextended(p_subject, 1);
    WHEN 'guest' THEN RETURN hashtextextended(p_subject, 2);
    WHEN 'consent' THEN RETURN hashtextextended(p_subject, 4);
    WHEN 'alerts' THEN RETURN hashtextextended(p_subject, 3);
    WHEN 'summary' THEN RETURN hashtextextended(p_subject, 5);
    WHEN 'email' THEN RETURN hashtextextended(p_subject, 6);
    WHEN 'contact' THEN RETURN hashtextextended(p_subject, 7);
    WHEN 'buyers' THEN RETURN hashtextextended(p_subject, 8);
  END CASE;
END $$;

-- Returns what shoppers count in: a row of shopper_count for each kind and pair of days, with their number; NULL if in none. Of their active days, those from p_since on.
--
--   active              an active day, and the one before it: the same day if there is none. In a period, a shopper counts on the first active day
--   week, month         the day of the first save, and the first day of each week or month with an active day since
--   saved               the day of the first save, twice: every shopper who has saved
--   customer            the same, of customers
--   returned            the same, of those who were active on a later day
--   bought              the same, of customers who ordered something that they had saved
CREATE OR REPLACE FUNCTION shopper_marks(p_shop_id bigint, p_shoppers bigint[], p_since date) RETURNS shopper_count[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted shopper_count[];
BEGIN
  WITH known AS MATERIALIZED (
    SELECT s.id, s.first_saved_on AS saved, s.owner_kind = 'customer' AS is_customer, s.last_active_on > s.first_saved_on AS has_returned,
           s.bought_order_id IS NOT NULL AS has_bought
      FROM unnest(p_shoppers) AS u (id)
     CROSS JOIN LATERAL (SELECT k.* FROM shopper k WHERE k.shop_id = p_shop_id AND k.id = u.id LIMIT 1) AS s
  ), active AS (
    -- From the last day before p_since on, because a day counts by the one before it.
    SELECT d.day, k.saved, lag(d.day) OVER (PARTITION BY k.id ORDER BY d.day) AS before
      FROM known k
     CROSS JOIN LATERAL (
       SELECT a.day FROM shopper_day a
        WHERE a.shop_id = p_shop_id AND a.shopper_id = k.id
          AND a.day >= coalesce((SELECT max(b.day) FROM shopper_day b WHERE b.shop_id = p_shop_id AND b.shopper_id = k.id AND b.day < p_since),
                                '-infinity')
       OFFSET 0) AS d
  ), recent AS MATERIALIZED (
    SELECT a.day, a.saved, a.before FROM active a WHERE a.day >= p_since
  ), marks AS (
    SELECT 'active' AS kind, r.day, coalesce(r.before, r.day) AS other_day FROM recent r
    UNION ALL
    SELECT u.unit, r.saved, date_trunc(u.unit, r.day::timestamp)::date
      FROM recent r CROSS JOIN unnest(ARRAY['week', 'month']) AS u (unit)
     WHERE r.day >= r.saved
       AND (r.before IS NULL OR r.before < r.saved OR date_trunc(u.unit, r.before::timestamp) < date_trunc(u.unit, r.day::timestamp))
    UNION ALL
    SELECT m.kind, k.saved, k.saved
      FROM known k
     CROSS JOIN unnest(ARRAY['saved', 'customer', 'returned', 'bought'], ARRAY[true, k.is_customer, k.has_returned, k.has_bought]) AS m (kind, counts)
     WHERE k.saved IS NOT NULL AND m.counts
  )
  SELECT array_agg(ROW(p_shop_id, c.kind, c.day, c.other_day, c.shoppers)::shopper_count) INTO counted
    FROM (SELECT m.kind, m.day, m.other_day, count(*)::integer AS shoppers FROM marks m GROUP BY m.kind, m.day, m.other_day) AS c;
  RETURN counted;
END $$;

-- Returns what shoppers count in by further days, as shopper_marks does, but from the days alone: each with the shopper, the last active day before all of
-- the shopper's, and the day of the first save, if any, which is not after that. A day may be given twice: as the guest's and the customer's.
CREATE OR REPLACE FUNCTION shopper_marks_later(
  p_shop_id bigint, p_shoppers bigint[], p_days date[], p_last_days date[], p_first_saves date[]
) RETURNS shopper_count[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted shopper_count[];
BEGIN
  WITH further AS MATERIALIZED (
    SELECT u.day, u.saved, coalesce(lag(u.day) OVER (PARTITION BY u.id ORDER BY u.day), u.last_day) AS before, u.last_day
      FROM (SELECT DISTINCT a.* FROM unnest(p_shoppers, p_days, p_last_days, p_first_saves) AS a (id, day, last_day, saved)) AS u
  ), days AS MATERIALIZED (
    -- Many shoppers of a batch have the same days.
    SELECT f.day, f.saved, f.before, f.before = f.last_day AS is_first, count(*)::integer AS shoppers FROM further f GROUP BY 1, 2, 3, 4
  ), marks AS (
    SELECT 'active' AS kind, d.day, d.before AS other_day, d.shoppers FROM days d
    UNION ALL
    SELECT u.unit, d.saved, date_trunc(u.unit, d.day::timestamp)::date, d.shoppers
      FROM days d CROSS JOIN unnest(ARRAY['week', 'month']) AS u (unit)
     WHERE d.saved IS NOT NULL AND d.before < date_trunc(u.unit, d.day::timestamp)::date
    UNION ALL
    SELECT 'returned', d.saved, d.saved, d.shoppers FROM days d WHERE d.is_first AND d.before = d.saved
  )
  SELECT array_agg(ROW(p_shop_id, c.kind, c.day, c.other_day, c.shoppers)::shopper_count) INTO counted
    FROM (SELECT m.kind, m.day, m.other_day, sum(m.shoppers)::integer AS shoppers FROM marks m GROUP BY m.kind, m.day, m.other_day) AS c;
  RETURN counted;
END $$;

-- Replaces what shoppers counted in before a change by what they count in after it: both as shopper_marks returns them.
CREATE OR REPLACE FUNCTION shopper_count_change(p_shop_id bigint, p_before shopper_count[], p_after shopper_count[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shopper_count AS t (shop_id, kind, day, other_day, shoppers)
  SELECT p_shop_id, c.kind, c.day, c.other_day, sum(c.shoppers)::integer
    FROM (SELECT a.kind, a.day, a.other_day, a.shoppers FROM unnest(p_after) AS a
          UNION ALL
          SELECT b.kind, b.day, b.other_day, -b.shoppers FROM unnest(p_before) AS b) AS c
   GROUP BY c.kind, c.day, c.other_day
  HAVING sum(c.shoppers) <> 0
      ON CONFLICT (shop_id, kind, day, other_day) DO UPDATE SET shoppers = t.shoppers + EXCLUDED.shoppers;
END $$;

-- Makes a guest who turned out to be a customer one shopper with the customer.
CREATE OR REPLACE FUNCTION shopper_merge_guest(p_shop_id bigint, p_guest_id text, p_customer_id text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  guest shopper;
  customer shopper;
  marks_before shopper_count[];
BEGIN
  INSERT INTO shopper (shop_id, owner_kind, owner_id)
  SELECT p_shop_id, k, i FROM (VALUES ('guest', p_guest_id), ('customer', p_customer_id)) AS o (k, i)
      ON CONFLICT (shop_id, owner_kind, owner_id) DO NOTHING;
  SELECT * INTO guest FROM shopper WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id = p_guest_id;
  SELECT * INTO customer FROM shopper WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id;
  IF guest.alias_of IS NOT NULL THEN
    RETURN;
  END IF;

  marks_before := shopper_marks(p_shop_id, ARRAY[guest.id, customer.id], '-infinity');
  -- Days on which both were active counted two shoppers.
  WITH days AS (
    DELETE FROM shopper_day WHERE shop_id = p_shop_id AND shopper_id = guest.id RETURNING day
  ), kept AS (
    INSERT INTO shopper_day (shop_id, shopper_id, day) SELECT p_shop_id, customer.id, day FROM days
        ON CONFLICT (shop_id, shopper_id, day) DO NOTHING
    RETURNING day
  )
  UPDATE daily_stats SET unique_shoppers = unique_shoppers - 1
   WHERE shop_id = p_shop_id AND day IN (SELECT day FROM days EXCEPT SELECT day FROM kept);
  -- Of the two last active days the later one stays.
  UPDATE daily_stats SET last_seen = last_seen - 1
   WHERE shop_id = p_shop_id AND day = least(guest.last_active_on, customer.last_active_on)
     AND guest.last_active_on IS NOT NULL AND customer.last_active_on IS NOT NULL;
  UPDATE shopper SET alias_of = customer.id, last_active_on = NULL, first_saved_on = NULL WHERE shop_id = p_shop_id AND id = guest.id;
  UPDATE shopper
     SET last_active_on = greatest(customer.last_active_on, guest.last_active_on), first_saved_on = least(customer.first_saved_on, guest.first_saved_on)
   WHERE shop_id = p_shop_id AND id = customer.id;
  PERFORM shopper_count_change(p_shop_id, marks_before, shopper_marks(p_shop_id, ARRAY[customer.id], '-infinity'));
END $$;

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
