-- Lets the release calculate the quiet hours anew after a change of a shop's time zone.
CREATE OR REPLACE FUNCTION alert_end_pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alert_settings SET paused_until = NULL WHERE shop_id = NEW.id AND paused_until IS NOT NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER alert_end_pause AFTER UPDATE OF time_zone ON shop
  FOR EACH ROW WHEN (OLD.time_zone <> NEW.time_zone) EXECUTE FUNCTION alert_end_pause();
