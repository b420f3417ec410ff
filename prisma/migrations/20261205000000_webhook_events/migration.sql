-- A webhook's events in one column, so that a further event needs no migration.
UPDATE webhook_endpoint
   SET events = events || operational_events || list_events || alert_events || order_events
 WHERE operational_events || list_events || alert_events || order_events <> '{}';
ALTER TABLE webhook_endpoint
  DROP COLUMN operational_events,
  DROP COLUMN list_events,
  DROP COLUMN alert_events,
  DROP COLUMN order_events;
