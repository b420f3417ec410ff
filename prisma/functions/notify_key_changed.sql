-- Notifies every process of a changed API key, whichever program changed it.
CREATE OR REPLACE FUNCTION notify_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Citus changes the copies of the other nodes in transactions that can't notify; processes listen on the coordinator.
  IF current_setting('application_name') LIKE 'citus\_%' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('wishlist_access', 'key ' || coalesce(NEW.key_id, OLD.key_id));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER api_key_notify_changed AFTER DELETE OR UPDATE OF scopes, allowed_origins, expires_at, revoked_at, successor_key_id ON api_key
  FOR EACH ROW EXECUTE FUNCTION notify_key_changed();
