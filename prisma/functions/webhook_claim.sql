-- Leases those of the given endpoints that are due and that no other process holds. Returns them.
CREATE OR REPLACE FUNCTION webhook_claim(p_shop_id bigint, p_endpoints text[], p_holder uuid, p_lease_ms double precision)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  claimed text[];
  expires_at timestamptz;
BEGIN
  -- Not in the statement below: Citus locks rows of one table only.
  PERFORM 1 FROM shop WHERE id = p_shop_id AND uninstalled_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(c.id) INTO claimed
    FROM (SELECT id FROM webhook_endpoint
           WHERE shop_id = p_shop_id AND id = ANY (p_endpoints) AND due_at <= clock_timestamp() AND disabled_at IS NULL
             AND (lease_until IS NULL OR lease_until < clock_timestamp() OR lease_holder = p_holder)
           ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) AS c;
  -- Citus allows no volatile function in an UPDATE.
  expires_at := clock_timestamp() + p_lease_ms * interval '1 ms';
  UPDATE webhook_endpoint SET lease_holder = p_holder, lease_until = expires_at
   WHERE shop_id = p_shop_id AND id = ANY (claimed);
  RETURN claimed;
END $$;
