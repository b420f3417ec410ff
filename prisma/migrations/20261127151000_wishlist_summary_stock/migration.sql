-- no transaction
-- The order of the admin's index of wishlists by the number of items that are out of stock.
DROP INDEX CONCURRENTLY IF EXISTS wishlist_summary_stock;
CREATE INDEX CONCURRENTLY wishlist_summary_stock
  ON wishlist_summary (shop_id, flags, out_of_stock, wishlist_id) INCLUDE (active_at, value, shared_until);
