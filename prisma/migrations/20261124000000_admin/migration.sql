-- What the merchant's admin remembers and shows.

ALTER TABLE shop ADD COLUMN setup_dismissed_at timestamptz(3);

-- How far a sync has come is only known beside how much there is.
ALTER TABLE catalog_sync ADD COLUMN total integer;
