-- A change on which processing fails is set aside like an order or a product, and tried again at its time.
ALTER TABLE set_aside ADD COLUMN failures integer NOT NULL DEFAULT 1, ADD COLUMN retry_at timestamptz(3);
CREATE INDEX set_aside_retry ON set_aside (retry_at);
