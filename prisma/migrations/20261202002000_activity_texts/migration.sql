-- no transaction: the table is large.
-- The few changes with texts of shoppers, by which a shop's quota of them is counted.
DROP INDEX CONCURRENTLY IF EXISTS activity_texts;
CREATE INDEX CONCURRENTLY activity_texts ON activity (shop_id, owner_kind, id)
  WHERE before ?| ARRAY['note', 'properties'] OR data ?| ARRAY['note', 'properties'];
