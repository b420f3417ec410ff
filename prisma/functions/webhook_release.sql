-- Ends the holder's leases of the given endpoints. That of a locked endpoint ends by itself.
CREATE OR REPLACE FUNCTION webhook_release(p_shop_id bigint, p_endpoints text[], p_holder uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free text[];
BEGIN
  SELECT array_agg(w.id) INTO free
    FROM (SELECT id FROM webhook_endpoint
           WHERE shop_id = p_shop_id AND id = ANY (p_endpoints) AND lease_holder = p_holder
           ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) AS w;
  UPDATE webhook_endpoint SET lease_holder = NULL, lease_until = NULL WHERE shop_id = p_shop_id AND id = ANY (free);
END $$;
