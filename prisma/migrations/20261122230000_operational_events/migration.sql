-- Operational events are about the shop's webhooks, not about a customer. Processes of the release before know neither their names nor their
-- payloads, so subscriptions to them are kept apart from the other events.
ALTER TABLE webhook_endpoint ADD COLUMN operational_events text[] NOT NULL DEFAULT ARRAY[]::text[];

-- The payload of an operational event, which names no customer.
ALTER TABLE webhook_event ALTER COLUMN customer_id DROP NOT NULL, ADD COLUMN data json;

-- When a delivery of an operational event is tried next. Its next_attempt_at is then in the year 9999, so that a process of the release before,
-- which would send another body, leaves the delivery alone.
ALTER TABLE webhook_delivery ADD COLUMN operational_at timestamptz(3);
