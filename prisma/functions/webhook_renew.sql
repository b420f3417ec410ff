-- Renews the holder's leases of the given endpoints. Returns the endpoints that the holder still has. One that is locked is left to the next renewal,
-- so that it does not hold up the others.
CREATE OR REPLACE FUNCTION webhook_renew(p_shop_id bigint, p_endpoints text[], p_holder uuid, p_lease_ms double precision)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  free text[];
  held text[];
  expires_at timestamptz;
BEGIN
  SELECT array_agg(w.id) INTO free
    FROM (SELECT id FROM webhook_endpoint
           WHERE shop_id = p_shop_id AND id = ANY (p_endpoints) AND lease_holder = p_holder
           ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) AS w;
  -- Citus allows no volatile function in an UPDATE.
  expires_at := clock_timestamp() + p_lease_ms * interval '1 ms';
  UPDATE webhook_endpoint SET lease_until = expires_at WHERE shop_id = p_shop_id AND id = ANY (free);
  SELECT array_agg(id) INTO held FROM webhook_endpoint
   WHERE shop_id = p_shop_id AND id = ANY (p_endpoints) AND lease_holder = p_holder;
  RETURN held;
END $$;
