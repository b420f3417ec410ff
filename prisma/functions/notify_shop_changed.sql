-- Notifies every process of a changed shop, whichever program changed it.
CREATE OR REPLACE FUNCTION notify_shop_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Citus changes the copies of the other nodes in transactions that can't notify; processes listen on the coordinator.
  IF current_setting('application_name') LIKE 'citus\_%' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('wishlist_access', 'shop ' || coalesce(NEW.id, OLD.id));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER shop_notify_changed AFTER DELETE OR UPDATE ON shop FOR EACH ROW EXECUTE FUNCTION notify_shop_changed();
