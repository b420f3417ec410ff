-- Processes up to p_limit rows of a shop's activity in one transaction: change numbers, rollups, webhook deliveries and the mark on the rows, so that no
-- change is lost or counted twice. One transaction at a time processes a shop: with p_wait the call waits for another one to end; without, processed is
-- then NULL. endpoints are those that received deliveries, traces the first traces of the rows, if any, last_number the shop's last change number.
CREATE OR REPLACE FUNCTION outbox_process(
  p_shop_id bigint, p_limit integer, p_wait boolean, OUT processed integer, OUT endpoints text[],
  OUT traces text[], OUT last_number bigint
) LANGUAGE plpgsql AS $$
DECLARE
  batch activity[];
  ids bigint[];
  most_traces CONSTANT integer := 32;
  lock_key CONSTANT bigint := advisory_lock_key('outbox', p_shop_id::text);
  marked_at timestamptz;
BEGIN
  IF p_wait THEN
    PERFORM pg_advisory_xact_lock(lock_key);
  ELSIF NOT pg_try_advisory_xact_lock(lock_key) THEN
    RETURN;
  END IF;

  -- Rows are chosen by their mark, not by the highest id so far: ids are assigned before the commit, so a lower one can appear later.
  -- (The subquery selects whole rows, a: PostgreSQL would turn its columns into text on their way into the array.)
  SELECT array_agg(w.a ORDER BY w.id), array_agg(w.id ORDER BY w.id) INTO batch, ids
    FROM (SELECT a, a.id FROM activity a WHERE a.shop_id = p_shop_id AND a.processed_at IS NULL ORDER BY a.id LIMIT p_limit) AS w;
  processed := coalesce(cardinality(batch), 0);
  IF processed = 0 THEN
    RETURN;
  END IF;

  PERFORM outbox_update_rollups(p_shop_id, batch);
  SELECT array_agg(t.trace) INTO traces
    FROM (SELECT DISTINCT b.trace FROM unnest(batch) AS b WHERE b.trace IS NOT NULL LIMIT most_traces) AS t;
  endpoints := outbox_create_deliveries(p_shop_id, batch);
  PERFORM alert_record_outcomes(p_shop_id, batch);
  INSERT INTO shop_change AS c (shop_id, last_number) VALUES (p_shop_id, processed)
      ON CONFLICT (shop_id) DO UPDATE SET last_number = c.last_number + processed
  RETURNING c.last_number INTO last_number;
  -- Citus allows no volatile function in an UPDATE.
  marked_at := clock_timestamp();
  -- All of the shop's changes that were processed earlier have lower numbers, and those of one list are in the order of their commits.
  UPDATE activity a SET processed_at = marked_at, change_number = last_number - processed + n.place
    FROM unnest(ids) WITH ORDINALITY AS n (id, place)
   WHERE a.shop_id = p_shop_id AND a.id = n.id;
END $$;
