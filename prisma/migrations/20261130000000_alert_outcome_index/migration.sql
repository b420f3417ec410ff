-- no transaction: for the alert log's filters and the totals by kind
DROP INDEX CONCURRENTLY IF EXISTS alert_outcome;
CREATE INDEX CONCURRENTLY alert_outcome ON alert (shop_id, kind, status, id);
