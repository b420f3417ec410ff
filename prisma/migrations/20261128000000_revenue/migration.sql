-- Orders, as far as wishlists had a part in them, and what they brought.

-- Subscriptions to orders: apart from events, whose names the release before knows.
ALTER TABLE webhook_endpoint ADD COLUMN order_events text[] NOT NULL DEFAULT ARRAY[]::text[];

CREATE TABLE store_order (
  shop_id bigint NOT NULL,
  order_id text NOT NULL,
  customer_id text,
  reported_at timestamptz(3) NOT NULL,
  reports integer NOT NULL DEFAULT 1,
  read_at timestamptz(3),
  updated_at timestamptz(3),
  ordered_at timestamptz(3),
  day date,
  currency text,
  counted boolean NOT NULL DEFAULT false,
  closed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (shop_id, order_id)
);
CREATE INDEX store_order_unread ON store_order (shop_id, reported_at, order_id) WHERE read_at IS NULL;
CREATE INDEX store_order_age ON store_order (shop_id, reported_at);
CREATE INDEX store_order_customer ON store_order (shop_id, customer_id) WHERE customer_id IS NOT NULL;

CREATE TABLE order_line (
  shop_id bigint NOT NULL,
  order_id text NOT NULL,
  line_id text NOT NULL,
  customer_id text NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  list_id text,
  saved_at timestamptz(3) NOT NULL,
  ordered_at timestamptz(3) NOT NULL,
  units integer NOT NULL,
  revenue numeric(14, 2) NOT NULL,
  PRIMARY KEY (shop_id, order_id, line_id)
);
CREATE INDEX order_line_customer ON order_line (shop_id, customer_id, variant_id, ordered_at);

CREATE TABLE revenue_daily (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  orders integer NOT NULL DEFAULT 0,
  saved_orders integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  revenue numeric(16, 2) NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, day, currency)
);

CREATE TABLE product_revenue (
  shop_id bigint NOT NULL,
  product_id text NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  orders integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  revenue numeric(16, 2) NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id, day, currency)
);
CREATE INDEX product_revenue_day ON product_revenue (shop_id, day);
