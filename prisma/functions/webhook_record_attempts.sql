-- Records attempts and their outcomes: succeeded | failed | pending, with the milliseconds until the next attempt of a pending delivery.
-- Attempts that were recorded before, also by another process, stay unchanged. Attempts of deleted deliveries are not recorded.
CREATE OR REPLACE FUNCTION webhook_record_attempts(
  p_shop_id bigint, p_deliveries uuid[], p_numbers integer[], p_at timestamptz[], p_duration_ms integer[], p_statuses integer[],
  p_errors text[], p_responses text[], p_urls text[], p_outcomes text[], p_wait_ms double precision[],
  p_batches uuid[] DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  -- Citus allows no volatile function in an UPDATE.
  recorded_at CONSTANT timestamptz := clock_timestamp();
  how_many CONSTANT bigint := cardinality(p_deliveries);
BEGIN
  -- The planner must look deliveries up by their keys. It expects few pending ones, because most of the table has been delivered, and would read all
  -- pending deliveries of the shop in each call. A generic plan, which does not know the LIMIT, and a status that is no literal keep it from that.
  -- Citus plans such a statement only with the values.
  PERFORM set_config('plan_cache_mode', 'force_generic_plan', true)
    WHERE NOT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus');
  WITH given AS (
    -- Citus allows no function that is not immutable in a CASE of an UPDATE.
    SELECT g.*, recorded_at + g.wait_ms * interval '1 ms' AS next_at, 'pending' AS status_before
      FROM unnest(p_deliveries, p_numbers, p_at, p_duration_ms, p_statuses, p_errors, p_responses, p_urls, p_outcomes, p_wait_ms,
                  p_batches)
               AS g (delivery_id, number, at, duration_ms, status, error, response, url, outcome, wait_ms, batch_id)
     LIMIT how_many
  ), moved AS (
    UPDATE webhook_delivery d
       SET attempts = g.number, status = g.outcome,
           next_attempt_at = CASE WHEN g.outcome = 'pending' THEN g.next_at END
      FROM given g
     WHERE d.shop_id = p_shop_id AND d.id = g.delivery_id AND d.status = g.status_before AND d.attempts < g.number
    RETURNING d.endpoint_id, g.*
  )
  INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, error, response, endpoint_id, url, batch_id)
  SELECT p_shop_id, m.delivery_id, m.number, m.at, m.duration_ms, m.status, m.error, m.response, m.endpoint_id, m.url, m.batch_id
    FROM moved m
      ON CONFLICT (shop_id, delivery_id, number) DO NOTHING;
END $$;
