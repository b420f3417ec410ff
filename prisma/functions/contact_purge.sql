-- Deletes up to p_limit requests that were not confirmed before p_unconfirmed, whose alert was sent before p_alerted, or that are older than p_created; and
-- then the contacts that have none, unless their address has refused an email: it gets none while that is known. Returns the number of deleted requests and contacts.
CREATE OR REPLACE FUNCTION contact_purge(
  p_shop_id bigint, p_unconfirmed timestamptz, p_alerted timestamptz, p_created timestamptz, p_limit integer
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  requests integer;
  contacts integer;
BEGIN
  WITH expired AS (
    DELETE FROM alert_request r
     WHERE r.shop_id = p_shop_id
       AND r.id = ANY (ARRAY(SELECT e.id FROM alert_request e
                              WHERE e.shop_id = p_shop_id AND e.created_at < greatest(p_unconfirmed, p_alerted)
                                AND (e.created_at < p_created OR (e.confirmed_at IS NULL AND e.created_at < p_unconfirmed) OR e.alerted_at < p_alerted)
                              LIMIT p_limit))
    RETURNING 1
  )
  SELECT count(*) INTO requests FROM expired;
  WITH ended AS (
    DELETE FROM contact c
     WHERE c.shop_id = p_shop_id AND c.requested_at < p_unconfirmed
       AND c.id = ANY (ARRAY(SELECT e.id FROM contact e
                              WHERE e.shop_id = p_shop_id AND e.requested_at < p_unconfirmed
                                AND NOT EXISTS (SELECT 1 FROM alert_request r WHERE r.shop_id = p_shop_id AND r.customer_id = e.id)
                                AND NOT EXISTS (SELECT 1 FROM email_suppression u WHERE u.shop_id = p_shop_id AND u.customer_id = e.id)
                              LIMIT p_limit))
    RETURNING 1
  )
  SELECT count(*) INTO contacts FROM ended;
  RETURN requests + contacts;
END $$;
