-- no transaction: for the owners of a variant, and the variant of an inventory item
DROP INDEX CONCURRENTLY IF EXISTS wishlist_item_variant;
CREATE INDEX CONCURRENTLY wishlist_item_variant ON wishlist_item (shop_id, product_id, variant_id, wishlist_id);
DROP INDEX CONCURRENTLY IF EXISTS variant_inventory_item;
CREATE INDEX CONCURRENTLY variant_inventory_item ON variant (shop_id, inventory_item_id) WHERE inventory_item_id IS NOT NULL;
