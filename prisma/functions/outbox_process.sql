-- Processes up to p_limit rows of a shop's activity in one transaction: change numbers, rollups, webhook deliveries and the mark on the rows, so that no
-- change is lost or counted twice. One transaction at a time processes a shop: with p_wait the call waits for another one to end; without, processed is
-- then NULL. A row on which that fails is set aside (processed_at is 'infinity'), so that the others go on, and is tried again after longer and longer
-- waits; after the fifth failure it waits for an operator. endpoints are those that received deliveries, traces the first traces of the rows, if any,
-- last_number the shop's last change number, failed the rows that were set aside now, and reasons why.
CREATE OR REPLACE FUNCTION outbox_process(
  p_shop_id bigint, p_limit integer, p_wait boolean, OUT processed integer, OUT endpoints text[],
  OUT traces text[], OUT last_number bigint, OUT failed bigint[], OUT reasons text[]
) LANGUAGE plpgsql AS $$
DECLARE
  batch activity[];
  ids bigint[];
  retried bigint[];
  applied record;
  most_traces CONSTANT integer := 32;
  -- Of a batch, without those that failed before. When more fail, the rows are not the cause.
  most_failures CONSTANT integer := 20;
  -- Seconds after the first failure, the second one and so on.
  waits CONSTANT integer[] := ARRAY[1, 10, 60, 300];
  lock_key CONSTANT bigint := advisory_lock_key('outbox', p_shop_id::text);
  marked_at timestamptz;
BEGIN
  IF p_wait THEN
    PERFORM pg_advisory_xact_lock(lock_key);
  ELSIF NOT pg_try_advisory_xact_lock(lock_key) THEN
    RETURN;
  END IF;

  SELECT array_agg(s.subject_id::bigint) INTO retried
    FROM set_aside s WHERE s.shop_id = p_shop_id AND s.kind = 'change' AND s.retry_at <= clock_timestamp();
  IF retried IS NOT NULL THEN
    UPDATE activity a SET processed_at = NULL WHERE a.shop_id = p_shop_id AND a.id = ANY (retried);
  END IF;

  -- Rows are chosen by their mark, not by the highest id so far: ids are assigned before the commit, so a lower one can appear later.
  -- (The subquery selects whole rows, a: PostgreSQL would turn its columns into text on their way into the array.)
  SELECT array_agg(w.a ORDER BY w.id), array_agg(w.id ORDER BY w.id) INTO batch, ids
    FROM (SELECT a, a.id FROM activity a WHERE a.shop_id = p_shop_id AND a.processed_at IS NULL ORDER BY a.id LIMIT p_limit) AS w;
  processed := coalesce(cardinality(batch), 0);
  IF processed = 0 THEN
    RETURN;
  END IF;

  SELECT o.* INTO applied FROM outbox_apply(p_shop_id, batch, most_failures + coalesce(cardinality(retried), 0)) AS o;
  endpoints := applied.endpoints;
  failed := applied.failed;
  reasons := applied.reasons;
  -- Citus allows no volatile function in an UPDATE.
  marked_at := clock_timestamp();
  IF failed <> '{}' THEN
    -- The columns of an earlier failure, because Citus allows no arithmetic with times in an ON CONFLICT.
    INSERT INTO set_aside AS s (shop_id, kind, subject_id, reason, at, failures, retry_at)
    SELECT p_shop_id, 'change', f.id::text, f.reason, marked_at, n.failures, marked_at + waits[n.failures] * interval '1 s'
      FROM unnest(failed, reasons) AS f (id, reason)
      LEFT JOIN set_aside e ON e.shop_id = p_shop_id AND e.kind = 'change' AND e.subject_id = f.id::text
     CROSS JOIN LATERAL (SELECT coalesce(e.failures, 0) + 1 AS failures) AS n
        ON CONFLICT (shop_id, kind, subject_id) DO UPDATE
       SET reason = EXCLUDED.reason, at = EXCLUDED.at, failures = EXCLUDED.failures, retry_at = EXCLUDED.retry_at;
    UPDATE activity a SET processed_at = 'infinity' WHERE a.shop_id = p_shop_id AND a.id = ANY (failed);
    SELECT array_agg(i.id ORDER BY i.id) INTO ids FROM unnest(ids) AS i (id) WHERE i.id <> ALL (failed);
    IF ids IS NULL THEN
      RETURN;
    END IF;
  END IF;
  IF retried IS NOT NULL THEN
    DELETE FROM set_aside s WHERE s.shop_id = p_shop_id AND s.kind = 'change' AND s.subject_id = ANY (ids::text[]);
  END IF;

  SELECT array_agg(t.trace) INTO traces
    FROM (SELECT DISTINCT b.trace FROM unnest(batch) AS b WHERE b.trace IS NOT NULL LIMIT most_traces) AS t;
  INSERT INTO shop_change AS c (shop_id, last_number) VALUES (p_shop_id, cardinality(ids))
      ON CONFLICT (shop_id) DO UPDATE SET last_number = c.last_number + EXCLUDED.last_number
  RETURNING c.last_number INTO last_number;
  -- All of the shop's changes that were processed earlier have lower numbers, and those of one list are in the order of their commits, but for those that
  -- were set aside.
  UPDATE activity a SET processed_at = marked_at, change_number = last_number - cardinality(ids) + n.ordinal
    FROM unnest(ids) WITH ORDINALITY AS n (id, ordinal)
   WHERE a.shop_id = p_shop_id AND a.id = n.id;
END $$;
