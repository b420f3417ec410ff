-- no transaction: what became of an alert by each channel, in the log of alerts
DROP INDEX CONCURRENTLY IF EXISTS webhook_delivery_channel;
CREATE INDEX CONCURRENTLY webhook_delivery_channel ON webhook_delivery (shop_id, event_id) WHERE endpoint_id IN ('flow', 'email', 'klaviyo');
