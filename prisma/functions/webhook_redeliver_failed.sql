-- Creates a delivery of each event whose delivery to an endpoint has failed since a moment and was not redelivered yet: oldest first, at most
-- p_limit, with this priority. Tests, and events that are purged, are left out. The caller has locked the endpoint.
-- taken: how many there are, up to p_limit + 1; queued: how many deliveries were created
CREATE OR REPLACE FUNCTION webhook_redeliver_failed(
  p_shop_id bigint, p_endpoint text, p_since timestamptz, p_limit integer, p_priority smallint,
  OUT taken integer, OUT queued integer
) LANGUAGE plpgsql AS $$
DECLARE
  -- Citus allows no volatile function in an UPDATE.
  redelivered CONSTANT timestamptz := clock_timestamp();
  failed uuid[];
BEGIN
  SELECT array_agg(f.id ORDER BY f.id) INTO failed
    FROM (SELECT d.id FROM webhook_delivery d
           WHERE d.shop_id = p_shop_id AND d.endpoint_id = p_endpoint AND d.status = 'failed' AND d.kind <> 'test' AND d.redelivered_at IS NULL
             AND d.id >= uuid_v7_min(p_since)
             AND EXISTS (SELECT 1 FROM webhook_event v WHERE v.shop_id = p_shop_id AND v.id = d.event_id)
           ORDER BY d.id LIMIT p_limit + 1) AS f;
  taken := coalesce(cardinality(failed), 0);
  failed := failed[1:p_limit];

  WITH marked AS (
    UPDATE webhook_delivery SET redelivered_at = redelivered WHERE shop_id = p_shop_id AND id = ANY (failed)
    RETURNING id, event_id, event
  ), created AS (
    INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status,
                                  next_attempt_at, created_at)
    SELECT p_shop_id, uuid_v7(), p_endpoint, o.event_id, o.event, 'redelivery', p_priority, 'pending', redelivered, redelivered
      FROM (SELECT event_id, event, min(id::text) AS first FROM marked GROUP BY event_id, event ORDER BY first) AS o
    RETURNING 1
  )
  SELECT count(*) INTO queued FROM created;
END $$;
