-- Opens the occurrence of a shop's reminders of a day, once; they are sent from ten in the morning. Its fan-out finds the items that were saved the shop's
-- number of days before. p_plans are the plans that include alerts.
CREATE OR REPLACE FUNCTION alert_remind(p_shop_id bigint, p_at timestamptz, p_plans text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO alert_occurrence (shop_id, kind, day, at, due_at)
  SELECT p_shop_id, 'reminder_due', d.day, p_at, greatest(p_at, (d.day + time '10:00') AT TIME ZONE s.time_zone)
    FROM shop s
    JOIN alert_settings a ON a.shop_id = p_shop_id AND 'reminder_due' = ANY (a.kinds)
   CROSS JOIN LATERAL (SELECT (p_at AT TIME ZONE s.time_zone)::date AS day) AS d
   WHERE s.id = p_shop_id AND s.plan = ANY (p_plans)
      ON CONFLICT DO NOTHING
$$;
