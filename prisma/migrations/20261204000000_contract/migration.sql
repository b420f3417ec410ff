DROP TABLE import_item;
ALTER TABLE webhook_delivery DROP COLUMN operational_at;
DROP FUNCTION IF EXISTS import_collect(bigint, text);
DROP INDEX share_link_token;
CREATE UNIQUE INDEX share_link_token ON share_link (shop_id, token_hash);
