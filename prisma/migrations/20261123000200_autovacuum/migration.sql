-- When autovacuum cleans the log-like tables. By default it waits for a fifth of a table, which is 80 days of purges where rows stay for 400.
--
-- activity and webhook_delivery: each row is updated once and thereby leaves the partial index of the rows that wait, whose dead entries
-- every look for waiting rows steps over. Their number is therefore bounded as such, not as a share of the table, and index_cleanup is on,
-- because a vacuum otherwise leaves the indexes alone while less than 2 % of a table's pages have dead rows.

ALTER TABLE activity SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200000, vacuum_index_cleanup = on
);
ALTER TABLE webhook_delivery SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, vacuum_index_cleanup = on
);
ALTER TABLE cart_event SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
ALTER TABLE shopper_day SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
ALTER TABLE webhook_event SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
ALTER TABLE webhook_attempt SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
ALTER TABLE audit SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
