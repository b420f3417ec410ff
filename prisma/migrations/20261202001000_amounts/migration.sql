-- Amounts of every currency: in Vietnamese dong or Indonesian rupiah they have four digits more than in dollars.
ALTER TABLE variant ALTER COLUMN price TYPE numeric(20, 2), ALTER COLUMN compare_at_price TYPE numeric(20, 2);
ALTER TABLE variant_change
  ALTER COLUMN old_price TYPE numeric(20, 2),
  ALTER COLUMN price TYPE numeric(20, 2),
  ALTER COLUMN old_compare_at_price TYPE numeric(20, 2),
  ALTER COLUMN compare_at_price TYPE numeric(20, 2);
ALTER TABLE alert_occurrence ALTER COLUMN price TYPE numeric(20, 2), ALTER COLUMN old_price TYPE numeric(20, 2);
ALTER TABLE alert ALTER COLUMN reference_price TYPE numeric(20, 2), ALTER COLUMN price TYPE numeric(20, 2);
ALTER TABLE wishlist_item ALTER COLUMN saved_price TYPE numeric(20, 2);
ALTER TABLE import_entry ALTER COLUMN saved_price TYPE numeric(20, 2);
ALTER TABLE order_line ALTER COLUMN revenue TYPE numeric(20, 2);
ALTER TABLE revenue_daily ALTER COLUMN revenue TYPE numeric(24, 2);
ALTER TABLE product_revenue ALTER COLUMN revenue TYPE numeric(24, 2);

-- Orders and products of the store that could not be stored, with the reason. What is about them elsewhere stays as it was.
CREATE TABLE set_aside (
  shop_id bigint NOT NULL,
  -- order, product
  kind text NOT NULL,
  subject_id text NOT NULL,
  reason text NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, kind, subject_id)
);
