-- no transaction: writers of alerts go on.
DROP INDEX CONCURRENTLY IF EXISTS alert_withheld;
-- Price drops that were not sent because the variant was sold out; its return to stock looks for them.
CREATE INDEX CONCURRENTLY alert_withheld ON alert (shop_id, variant_id) WHERE kind = 'price_dropped' AND reason = 'sold_out';
