-- Opt-in batches: requests with several events.
ALTER TABLE webhook_endpoint ADD COLUMN batch boolean NOT NULL DEFAULT false;
-- The batch in which an attempt was sent: its request names the batch instead of the event.
ALTER TABLE webhook_attempt ADD COLUMN batch_id uuid;
