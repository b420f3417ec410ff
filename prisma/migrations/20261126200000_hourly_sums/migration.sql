-- Sums of shoppers' changes by hour, owner and source: to compare today, which is not over, with the same hours of another day, and to tell guests from
-- customers and the store from the API. Days before this migration have no rows.
CREATE TABLE activity_hourly (
  shop_id       bigint   NOT NULL,
  day           date     NOT NULL,
  -- Of the shop's clock, 0 to 23.
  hour          smallint NOT NULL,
  owner_kind    text     NOT NULL,
  source        text     NOT NULL,
  items_added   integer  NOT NULL DEFAULT 0,
  items_removed integer  NOT NULL DEFAULT 0,
  carted        integer  NOT NULL DEFAULT 0,
  shared        integer  NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, day, hour, owner_kind, source)
) WITH (fillfactor = 70);

CREATE TABLE revenue_hourly (
  shop_id      bigint         NOT NULL,
  day          date           NOT NULL,
  hour         smallint       NOT NULL,
  currency     text           NOT NULL,
  orders       integer        NOT NULL DEFAULT 0,
  saved_orders integer        NOT NULL DEFAULT 0,
  units        integer        NOT NULL DEFAULT 0,
  revenue      numeric(24, 2) NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, day, hour, currency)
);
