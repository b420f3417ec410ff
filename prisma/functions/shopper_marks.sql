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
