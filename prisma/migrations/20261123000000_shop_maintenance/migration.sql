-- When a job of a shop runs next, and which process runs it (app/platform/shop-jobs.server.ts).

CREATE TABLE shop_maintenance (
  shop_id       bigint         NOT NULL REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  job           text           NOT NULL,
  due_at        timestamptz(3) NOT NULL,
  finished_at   timestamptz(3),
  -- failed runs since the last success
  failures      integer        NOT NULL DEFAULT 0,
  lease_holder  uuid,
  lease_until   timestamptz(3),
  PRIMARY KEY (shop_id, job)
);
CREATE INDEX shop_maintenance_due ON shop_maintenance (job, due_at);
