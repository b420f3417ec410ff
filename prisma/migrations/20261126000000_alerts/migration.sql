-- Changes of the catalog, what follows from them, and the alerts that customers get.

ALTER TABLE shop ADD COLUMN currency_changed_at timestamptz(3);
ALTER TABLE variant ADD COLUMN compare_at_price numeric(14, 2);
ALTER TABLE variant ADD COLUMN inventory integer;
ALTER TABLE variant ADD COLUMN inventory_item_id text;
ALTER TABLE variant ADD COLUMN low_stock_armed boolean NOT NULL DEFAULT true;

CREATE TABLE alert_settings (
  shop_id bigint PRIMARY KEY REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  kinds text[] NOT NULL DEFAULT ARRAY[]::text[],
  mode text NOT NULL DEFAULT 'consent' CHECK (mode IN ('consent', 'merchant_managed')),
  price_drop_percent integer NOT NULL DEFAULT 5 CHECK (price_drop_percent BETWEEN 1 AND 90),
  low_stock_quantity integer NOT NULL DEFAULT 5 CHECK (low_stock_quantity BETWEEN 1 AND 1000),
  reminder_days integer NOT NULL DEFAULT 14 CHECK (reminder_days BETWEEN 1 AND 365),
  cool_down_hours integer NOT NULL DEFAULT 24 CHECK (cool_down_hours BETWEEN 1 AND 720),
  quiet_from integer CHECK (quiet_from BETWEEN 0 AND 23),
  quiet_until integer CHECK (quiet_until BETWEEN 0 AND 23),
  digest_at integer CHECK (digest_at BETWEEN 0 AND 23),
  version integer NOT NULL DEFAULT 0,
  paused_until timestamptz(3),
  CHECK (kinds <@ ARRAY['price_dropped', 'back_in_stock', 'low_stock', 'reminder_due']),
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND quiet_from <> quiet_until)
);

CREATE TABLE variant_change (
  shop_id bigint NOT NULL,
  id bigserial NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  at timestamptz(3) NOT NULL,
  old_price numeric(14, 2),
  price numeric(14, 2) NOT NULL,
  old_compare_at_price numeric(14, 2),
  compare_at_price numeric(14, 2),
  old_available boolean NOT NULL,
  available boolean NOT NULL,
  old_inventory integer,
  inventory integer,
  processed_at timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX variant_change_unprocessed ON variant_change (shop_id, id) WHERE processed_at IS NULL;
CREATE INDEX variant_change_availability ON variant_change (shop_id, variant_id, id) WHERE available <> old_available;

CREATE TABLE alert_occurrence (
  shop_id bigint NOT NULL,
  id bigserial NOT NULL,
  kind text NOT NULL CHECK (kind IN ('price_dropped', 'back_in_stock', 'low_stock', 'reminder_due')),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'cancelled')),
  product_id text,
  variant_id text,
  day date,
  change_id bigint,
  at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  price numeric(14, 2),
  old_price numeric(14, 2),
  last_wishlist_id bigint NOT NULL DEFAULT 0,
  last_product_id text NOT NULL DEFAULT '',
  last_variant_id text NOT NULL DEFAULT '',
  alerts integer NOT NULL DEFAULT 0,
  finished_at timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX alert_occurrence_open ON alert_occurrence (shop_id, due_at, id) WHERE status = 'open';
CREATE UNIQUE INDEX alert_occurrence_change ON alert_occurrence (shop_id, change_id, kind) WHERE change_id IS NOT NULL;
CREATE UNIQUE INDEX alert_occurrence_day ON alert_occurrence (shop_id, day, kind) WHERE day IS NOT NULL;

CREATE TABLE alert (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  occurrence_id bigint NOT NULL,
  kind text NOT NULL,
  customer_id text NOT NULL,
  wishlist_id bigint NOT NULL,
  list_id text,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  reference_price numeric(14, 2),
  price numeric(14, 2),
  consent_at timestamptz(3),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'suppressed')),
  reason text,
  created_at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  event_id uuid,
  opened_at timestamptz(3),
  returned_at timestamptz(3),
  carted_at timestamptz(3),
  bought_at timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX alert_once ON alert (shop_id, customer_id, variant_id, occurrence_id);
CREATE INDEX alert_pending ON alert (shop_id, due_at, customer_id) WHERE status = 'pending';

ALTER TABLE variant_change SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, vacuum_index_cleanup = on);
ALTER TABLE alert SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200000, vacuum_index_cleanup = on);
