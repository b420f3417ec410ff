-- Adds a batch of a shop's activity to the rollups and creates its webhook deliveries. A row on which that fails is left out, and nothing of it is stored:
-- it is found by halving the batch. When more than p_most rows fail, they are not the cause, and the call fails as a whole. Only errors that values can
-- cause count; an error that has another cause, such as a lock that is not granted, also fails the call.
CREATE OR REPLACE FUNCTION outbox_apply(
  p_shop_id bigint, p_batch activity[], p_most integer, OUT endpoints text[], OUT failed bigint[], OUT reasons text[]
) LANGUAGE plpgsql AS $$
DECLARE
  middle CONSTANT integer := cardinality(p_batch) / 2;
  applied record;
BEGIN
  failed := '{}';
  reasons := '{}';
  BEGIN
    PERFORM outbox_update_rollups(p_shop_id, p_batch);
    endpoints := outbox_create_deliveries(p_shop_id, p_batch);
    PERFORM alert_record_outcomes(p_shop_id, p_batch);
    RETURN;
  EXCEPTION
    WHEN data_exception OR integrity_constraint_violation OR cardinality_violation OR program_limit_exceeded OR plpgsql_error OR internal_error THEN
      IF p_most = 0 THEN
        RAISE;
      ELSIF middle = 0 THEN
        failed := ARRAY[(p_batch[1]).id];
        reasons := ARRAY[left(SQLSTATE || ' ' || SQLERRM, 500)];
        RETURN;
      END IF;
  END;
  endpoints := NULL;
  FOR half IN 1..2 LOOP
    SELECT o.* INTO applied
      FROM outbox_apply(p_shop_id, CASE half WHEN 1 THEN p_batch[:middle] ELSE p_batch[middle + 1:] END, p_most - cardinality(failed)) AS o;
    endpoints := endpoints || applied.endpoints;
    failed := failed || applied.failed;
    reasons := reasons || applied.reasons;
  END LOOP;
END $$;
