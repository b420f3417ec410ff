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
