-- no transaction: writers of alerts go on.
DROP INDEX CONCURRENTLY IF EXISTS alert_moment;
-- The alerts of a moment by outcome. The customer is in the index, so that counting people reads no rows; it never changes.
CREATE INDEX CONCURRENTLY alert_moment ON alert (shop_id, occurrence_id, status, id) INCLUDE (customer_id);
DROP INDEX CONCURRENTLY IF EXISTS alert_bought;
CREATE INDEX CONCURRENTLY alert_bought ON alert (shop_id, occurrence_id, id) WHERE bought_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS alert_occurrence_moment;
-- The log shows moments with alerts only; most changes of a catalog have none.
CREATE INDEX CONCURRENTLY alert_occurrence_moment ON alert_occurrence (shop_id, at, kind, (coalesce(product_id, '')), id) WHERE alerts > 0;
