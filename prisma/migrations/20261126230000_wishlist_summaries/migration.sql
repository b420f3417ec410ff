-- What the admin's index of wishlists filters and sorts by, for each list that is not deleted. It follows lists by their changes, and prices and stock by
-- passes over all lists (wishlist_summary_step). A shop has rows from its first pass on.
CREATE TABLE wishlist_summary (
  shop_id       bigint         NOT NULL,
  wishlist_id   bigint         NOT NULL,
  -- Sum of: 1 guest, 2 named, 4 out of stock, 8 price dropped, 16 its owner has asked for an alert, 32 shared.
  flags         smallint       NOT NULL,
  active_at     timestamptz(3) NOT NULL,
  item_count    integer        NOT NULL,
  -- Current prices times quantities, of the items that the store still has.
  value         numeric(24, 2) NOT NULL,
  out_of_stock  integer        NOT NULL,
  price_dropped integer        NOT NULL,
  -- When its open share link expires.
  shared_until  timestamptz(3),
  PRIMARY KEY (shop_id, wishlist_id),
  FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist (shop_id, id) ON DELETE CASCADE
);
-- A page is read from the index of its order, from the beginning of each combination of flags that it shows, so that its cost does not depend on how rare
-- they are.
CREATE INDEX wishlist_summary_active ON wishlist_summary (shop_id, flags, active_at, wishlist_id) INCLUDE (value, shared_until);
CREATE INDEX wishlist_summary_value ON wishlist_summary (shop_id, flags, value, wishlist_id) INCLUDE (active_at, shared_until);
CREATE INDEX wishlist_summary_items ON wishlist_summary (shop_id, flags, item_count, wishlist_id) INCLUDE (active_at, value, shared_until);

CREATE TABLE wishlist_summary_state (
  shop_id         bigint         NOT NULL PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE,
  -- The last change of the shop that the summaries include.
  change_number   bigint         NOT NULL,
  -- Of the pass in progress: the last list, and when and with which catalog it began. NULL between passes.
  pass_after      bigint,
  begun_at        timestamptz(3) NOT NULL,
  catalog_version bigint         NOT NULL,
  -- When the last complete pass began: prices and stock are at least as new. NULL before the end of the first one.
  complete_at     timestamptz(3)
);
