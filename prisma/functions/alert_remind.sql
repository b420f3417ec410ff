-- Opens the occurrence of a shop's reminders of a day, once; they are sent from ten in the morning. Its fan-out finds the items that were saved the shop's
-- number of days before. p_plans are the plans that include alerts.
CREATE OR REPLACE FUNCTION alert_remind(p_shop_id bigint, p_at timestamptz, p_plans text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s shop;
  local_day date;
BEGIN
  SELECT * INTO s FROM shop WHERE id = p_shop_id;
  local_day := (p_at AT TIME ZONE s.time_zone)::date;
  IF s.plan = ANY (p_plans) THEN
    INSERT INTO alert_occurrence (shop_id, kind, day, at, due_at)
    SELECT p_shop_id, 'reminder_due', local_day, p_at, greatest(p_at, (local_day + time '10:00') AT TIME ZONE s.time_zone)
      FROM alert_settings a WHERE a.shop_id = p_shop_id AND 'reminder_due' = ANY (a.kinds)
        ON CONFLICT DO NOTHING;
  END IF;
  PERFORM alert_schedule(p_shop_id);
END $$;
