-- Links in events lead through the app proxy, whose path merchants can change. The store's signed requests tell it.
ALTER TABLE shop ADD COLUMN store_path text NOT NULL DEFAULT '/apps/wishlist';
