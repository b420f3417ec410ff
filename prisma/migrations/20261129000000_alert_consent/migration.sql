-- What customers have asked for and withdrawn, in their words' order: rows are only ever added, and the latest of a customer and kind is in force.
CREATE TABLE alert_consent (
  shop_id bigint NOT NULL,
  customer_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('price_dropped', 'back_in_stock', 'low_stock', 'reminder_due')),
  id bigserial NOT NULL,
  given boolean NOT NULL,
  at timestamptz(3) NOT NULL,
  source text NOT NULL CHECK (source IN ('storefront', 'link', 'api')),
  wording text,
  locale text,
  PRIMARY KEY (shop_id, customer_id, kind, id)
);
