-- no transaction: for the purge by age, which would otherwise read all responses of a shop
DROP INDEX CONCURRENTLY IF EXISTS idempotent_response_created;
CREATE INDEX CONCURRENTLY idempotent_response_created ON idempotent_response (shop_id, created_at);
