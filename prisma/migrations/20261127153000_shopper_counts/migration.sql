-- Shoppers counted by two days, so that the reports know how many were active in any period, and what became of those who first saved on a day. The marks
-- that a shopper counts in are those of the function shopper_marks.

-- What the function of the release before counted from here on would be missing in the counts. So no batch may be within it, and each later one fails and
-- is tried again until the new function replaces this one, when all migrations are applied. A batch begins with set_aside.
LOCK TABLE set_aside IN ACCESS EXCLUSIVE MODE;
CREATE OR REPLACE FUNCTION outbox_update_rollups(p_shop_id bigint, p_batch activity[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the SQL functions of this release are not applied yet' USING ERRCODE = 'lock_not_available';
END $$;

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
