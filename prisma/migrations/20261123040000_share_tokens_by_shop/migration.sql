-- no transaction
-- Share tokens name their shop now, so that a look-up needs the rows of one shop only. On a distributed database, a unique index must contain shop_id.
DROP INDEX CONCURRENTLY IF EXISTS share_link_token;
CREATE UNIQUE INDEX CONCURRENTLY share_link_token ON share_link (token_hash, shop_id);
DROP INDEX CONCURRENTLY IF EXISTS share_link_token_hash_key;
