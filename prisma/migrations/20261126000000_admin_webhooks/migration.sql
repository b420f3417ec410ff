-- The merchant's view of webhooks: their health, a log with filters, and the redelivery of all that failed.

-- Whose attempt it was and where it went: an endpoint's address can change. Null of attempts before this, and where nothing was sent.
ALTER TABLE webhook_attempt ADD COLUMN endpoint_id text, ADD COLUMN url text;
-- Of as many as the health of the last day is made of.
UPDATE webhook_attempt a SET endpoint_id = d.endpoint_id
  FROM webhook_delivery d
 WHERE d.shop_id = a.shop_id AND d.id = a.delivery_id AND a.delivery_id >= ordered_id_from(now() - interval '3 days');
CREATE INDEX webhook_attempt_recent ON webhook_attempt (shop_id, endpoint_id, at);

-- One index for the log and all of its filters: what matches is read from each combination of them in the log's order.
CREATE INDEX webhook_delivery_found ON webhook_delivery (shop_id, endpoint_id, status, event, kind, id);
DROP INDEX webhook_delivery_log;
DROP INDEX webhook_delivery_failed;

-- Redelivered in bulk, that is by nobody who looks on: it rests with its endpoint, as events do, and comes after them.
ALTER TABLE webhook_delivery
  DROP CONSTRAINT webhook_delivery_kind_check,
  ADD CONSTRAINT webhook_delivery_kind_check CHECK (kind IN ('event', 'test', 'redelivery', 'bulk')),
  ADD COLUMN redelivered_at timestamptz(3);
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery (shop_id, endpoint_id, id)
  WHERE status = 'failed' AND kind <> 'test' AND redelivered_at IS NULL;

-- As before, with what was redelivered in bulk.
CREATE OR REPLACE FUNCTION webhook_settle(p_shop_id integer, p_endpoint text, p_holder uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  resting timestamptz;
  due timestamptz;
BEGIN
  SELECT resting_until INTO resting FROM webhook_endpoint
   WHERE shop_id = p_shop_id AND id = p_endpoint AND lease_holder = p_holder FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  SELECT min(CASE WHEN k.kind IN ('event', 'bulk') THEN greatest(n.next_attempt_at, resting) ELSE n.next_attempt_at END) INTO due
    FROM (VALUES ('test'), ('redelivery'), ('event'), ('bulk')) AS k (kind)
   CROSS JOIN LATERAL (SELECT next_attempt_at FROM webhook_delivery
                        WHERE shop_id = p_shop_id AND endpoint_id = p_endpoint AND status = 'pending' AND kind = k.kind
                        ORDER BY next_attempt_at LIMIT 1) AS n;
  UPDATE webhook_endpoint SET due_at = due WHERE shop_id = p_shop_id AND id = p_endpoint;
  RETURN due IS NULL OR due > clock_timestamp();
END $$;
