-- Makes a guest who turned out to be a customer one shopper with the customer.
CREATE OR REPLACE FUNCTION shopper_merge_guest(p_shop_id bigint, p_guest_id text, p_customer_id text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  guest shopper;
  customer shopper;
  marks_before shopper_count[];
BEGIN
  INSERT INTO shopper (shop_id, owner_kind, owner_id)
  SELECT p_shop_id, k, i FROM (VALUES ('guest', p_guest_id), ('customer', p_customer_id)) AS o (k, i)
      ON CONFLICT (shop_id, owner_kind, owner_id) DO NOTHING;
  SELECT * INTO guest FROM shopper WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id = p_guest_id;
  SELECT * INTO customer FROM shopper WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id;
  IF guest.alias_of IS NOT NULL THEN
    RETURN;
  END IF;

  marks_before := shopper_marks(p_shop_id, ARRAY[guest.id, customer.id], '-infinity');
  -- Days on which both were active counted two shoppers.
  WITH days AS (
    DELETE FROM shopper_day WHERE shop_id = p_shop_id AND shopper_id = guest.id RETURNING day
  ), kept AS (
    INSERT INTO shopper_day (shop_id, shopper_id, day) SELECT p_shop_id, customer.id, day FROM days
        ON CONFLICT (shop_id, shopper_id, day) DO NOTHING
    RETURNING day
  )
  UPDATE daily_stats SET unique_shoppers = unique_shoppers - 1
   WHERE shop_id = p_shop_id AND day IN (SELECT day FROM days EXCEPT SELECT day FROM kept);
  -- Of the two last active days the later one stays.
  UPDATE daily_stats SET last_seen = last_seen - 1
   WHERE shop_id = p_shop_id AND day = least(guest.last_active_on, customer.last_active_on)
     AND guest.last_active_on IS NOT NULL AND customer.last_active_on IS NOT NULL;
  UPDATE shopper SET alias_of = customer.id, last_active_on = NULL, first_saved_on = NULL WHERE shop_id = p_shop_id AND id = guest.id;
  UPDATE shopper
     SET last_active_on = greatest(customer.last_active_on, guest.last_active_on), first_saved_on = least(customer.first_saved_on, guest.first_saved_on)
   WHERE shop_id = p_shop_id AND id = customer.id;
  PERFORM shopper_count_change(p_shop_id, marks_before, shopper_marks(p_shop_id, ARRAY[customer.id], '-infinity'));
END $$;
