-- no transaction: finds the message that a bounce is about, by its Message-ID
DROP INDEX CONCURRENTLY IF EXISTS webhook_attempt_emailed;
CREATE INDEX CONCURRENTLY webhook_attempt_emailed ON webhook_attempt (shop_id, batch_id) WHERE endpoint_id = 'email';
