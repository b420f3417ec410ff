-- The trace of a change, as W3C traceparent, so that the outbox processor and the deliveries continue it. The default lets the functions that write
-- activity stay as they are: a process that traces the change sets wishlist.trace on its connection.
ALTER TABLE activity ADD COLUMN trace text;
ALTER TABLE activity ALTER COLUMN trace SET DEFAULT nullif(current_setting('wishlist.trace', true), '');
ALTER TABLE webhook_event ADD COLUMN trace text;
