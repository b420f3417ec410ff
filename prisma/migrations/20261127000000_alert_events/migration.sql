-- Subscriptions to alerts: apart from events, whose names the release before knows.
ALTER TABLE webhook_endpoint ADD COLUMN alert_events text[] NOT NULL DEFAULT ARRAY[]::text[];
