-- Locks a guest until the end of the transaction, whether or not the guest has a list. Returns the customer whose list the guest's list was
-- merged into, or NULL.
CREATE OR REPLACE FUNCTION guest_lock(p_shop_id bigint, p_guest_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  merged_into text;
BEGIN
  PERFORM pg_advisory_xact_lock(advisory_lock_key('guest', p_shop_id || ' ' || p_guest_id));
  -- A separate statement, so that it sees what was committed while the lock was awaited.
  SELECT customer_id INTO merged_into FROM merged_guest WHERE shop_id = p_shop_id AND guest_id = p_guest_id;
  RETURN merged_into;
END $$;
