-- Named lists: a row of wishlist whose handle is the list's public id. Every column may be missing, so that no table is rewritten and processes of the
-- release before, which know the default list only, go on.
ALTER TABLE wishlist
  ADD COLUMN name text,
  ADD COLUMN name_key text,
  ADD COLUMN position double precision NOT NULL DEFAULT 0,
  ADD COLUMN has_details boolean NOT NULL DEFAULT false,
  ADD COLUMN deleted_at timestamptz(3);

-- Details of an item that the shopper or the caller sets, and the price in the catalog when the item was saved.
ALTER TABLE wishlist_item
  ADD COLUMN quantity integer,
  ADD COLUMN note text,
  ADD COLUMN properties jsonb,
  ADD COLUMN position double precision,
  ADD COLUMN saved_price numeric(14, 2);

-- What the change feed and a restore need beyond the columns that the reports use.
ALTER TABLE activity
  ADD COLUMN list_id text,
  ADD COLUMN data jsonb,
  ADD COLUMN before jsonb,
  ADD COLUMN change_number bigint;

ALTER TABLE webhook_event ADD COLUMN list_id text;

-- Subscriptions to events of lists: processes of the release before fail to read names among the others that they do not know.
ALTER TABLE webhook_endpoint ADD COLUMN list_events text[] NOT NULL DEFAULT ARRAY[]::text[];

-- The last change number of each shop, and the number up to which changes were deleted by age.
CREATE TABLE shop_change (
  shop_id     bigint PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  last_number bigint NOT NULL DEFAULT 0,
  purged_to   bigint NOT NULL DEFAULT 0
);

-- Counts the writes to a shop's catalog cache, so that pages with the data of products can be kept in memory until the next one.
CREATE TABLE catalog_version (
  shop_id bigint PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  version bigint NOT NULL
);
