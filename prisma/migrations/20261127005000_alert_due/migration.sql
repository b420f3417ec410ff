-- When a shop's alerts have something to do next, so that a poll need not look at every shop. The first look at each shop is now due, and sets the time.
ALTER TABLE alert_settings ADD COLUMN due_at timestamptz(3) DEFAULT '2026-01-01T00:00:00Z';
ALTER TABLE alert_settings ALTER COLUMN due_at DROP DEFAULT;
CREATE INDEX alert_settings_due ON alert_settings (due_at) WHERE due_at IS NOT NULL;
-- The settings end a pause themselves: on Citus, a trigger of the reference table cannot write to a distributed one.
DROP TRIGGER IF EXISTS alert_end_pause ON shop;
DROP FUNCTION IF EXISTS alert_end_pause();
