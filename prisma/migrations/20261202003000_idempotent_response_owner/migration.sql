-- Whose lists a request was about, so that the owner's erasure finds the response to it.
ALTER TABLE idempotent_response ADD COLUMN owner_kind text, ADD COLUMN owner_id text;
CREATE INDEX idempotent_response_owner ON idempotent_response (shop_id, owner_kind, owner_id);
