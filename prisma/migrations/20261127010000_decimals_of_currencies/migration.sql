-- Amounts keep the decimals that the store sends: three for KWD, none for JPY. A column without a scale of its own needs no new copy of its table and
-- its indexes, which another scale would, and stored amounts stay as they are. The locks of all tables are held for the change of the catalog only.
ALTER TABLE wishlist_item ALTER COLUMN saved_price TYPE numeric;
ALTER TABLE wishlist_summary ALTER COLUMN value TYPE numeric;
ALTER TABLE variant ALTER COLUMN price TYPE numeric, ALTER COLUMN compare_at_price TYPE numeric;
ALTER TABLE import_entry ALTER COLUMN saved_price TYPE numeric;
ALTER TABLE variant_change
  ALTER COLUMN old_price TYPE numeric, ALTER COLUMN price TYPE numeric,
  ALTER COLUMN old_compare_at_price TYPE numeric, ALTER COLUMN compare_at_price TYPE numeric;
ALTER TABLE alert_occurrence ALTER COLUMN price TYPE numeric, ALTER COLUMN old_price TYPE numeric;
ALTER TABLE alert ALTER COLUMN reference_price TYPE numeric, ALTER COLUMN price TYPE numeric;
ALTER TABLE order_line ALTER COLUMN revenue TYPE numeric;
ALTER TABLE revenue_daily ALTER COLUMN revenue TYPE numeric;
ALTER TABLE revenue_hourly ALTER COLUMN revenue TYPE numeric;
ALTER TABLE product_revenue ALTER COLUMN revenue TYPE numeric;
