-- Stamps changed rows, which every process polls for changes that it missed. The timestamp is the statement's, not the transaction's.
CREATE OR REPLACE FUNCTION set_changed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;

-- Using a key (last_used_at) is no change that other processes need to know.
CREATE OR REPLACE TRIGGER api_key_set_changed_at BEFORE UPDATE OF scopes, allowed_origins, expires_at, revoked_at, successor_key_id ON api_key
  FOR EACH ROW EXECUTE FUNCTION set_changed_at();
CREATE OR REPLACE TRIGGER shop_set_changed_at BEFORE UPDATE ON shop FOR EACH ROW EXECUTE FUNCTION set_changed_at();
