-- no transaction: for unique names, the change feed, the history of a list, and the purge of deleted lists
DROP INDEX CONCURRENTLY IF EXISTS wishlist_name;
CREATE UNIQUE INDEX CONCURRENTLY wishlist_name ON wishlist (shop_id, owner_kind, owner_id, name_key) WHERE name_key IS NOT NULL AND deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS activity_change;
CREATE UNIQUE INDEX CONCURRENTLY activity_change ON activity (shop_id, change_number) WHERE change_number IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS activity_version;
CREATE INDEX CONCURRENTLY activity_version ON activity (shop_id, wishlist_id, version);
DROP INDEX CONCURRENTLY IF EXISTS wishlist_deleted;
CREATE INDEX CONCURRENTLY wishlist_deleted ON wishlist (shop_id, deleted_at) WHERE deleted_at IS NOT NULL;
