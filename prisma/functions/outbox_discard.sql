-- Gives a change up that is set aside: it stays in the history of its list, and reaches no rollup, webhook or change feed. Returns false when it is not
-- set aside.
CREATE OR REPLACE FUNCTION outbox_discard(p_shop_id bigint, p_activity_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  marked_at CONSTANT timestamptz := clock_timestamp();
BEGIN
  UPDATE activity SET processed_at = marked_at WHERE shop_id = p_shop_id AND id = p_activity_id AND processed_at = 'infinity';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM set_aside WHERE shop_id = p_shop_id AND kind = 'change' AND subject_id = p_activity_id::text;
  RETURN true;
END $$;
