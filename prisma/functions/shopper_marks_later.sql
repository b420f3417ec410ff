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
