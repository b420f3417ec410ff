-- Alerts that somebody asks for about one variant: a customer, or a shopper without an account who gives an email address.
CREATE TABLE contact (
  shop_id bigint NOT NULL,
  id text NOT NULL,
  address_hash text NOT NULL,
  address_sealed text NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX contact_address ON contact (shop_id, address_hash);

CREATE TABLE alert_request (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  customer_id text NOT NULL,
  kind text NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  reference_price numeric,
  target_price numeric,
  locale text,
  needs_item boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  alerted_at timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX alert_request_once ON alert_request (shop_id, customer_id, variant_id, kind) WHERE confirmed_at IS NOT NULL AND alerted_at IS NULL;
CREATE INDEX alert_request_open ON alert_request (shop_id, variant_id, kind, id) WHERE confirmed_at IS NOT NULL AND alerted_at IS NULL;
CREATE INDEX alert_request_customer ON alert_request (shop_id, customer_id, created_at);
CREATE INDEX alert_request_created ON alert_request (shop_id, created_at);

ALTER TABLE alert ADD COLUMN request_id uuid;
-- An alert that was asked for is of no list.
ALTER TABLE alert ALTER COLUMN wishlist_id DROP NOT NULL;
ALTER TABLE alert_occurrence ADD COLUMN last_request_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
