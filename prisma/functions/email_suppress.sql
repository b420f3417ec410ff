-- Suppresses a customer's address, unless p_address_sealed is null: no email is sent to it from now on. A later report replaces an earlier one.
CREATE OR REPLACE FUNCTION email_suppress(
  p_shop_id bigint, p_customer_id text, p_address_sealed text, p_at timestamptz, p_error text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_address_sealed IS NOT NULL THEN
    INSERT INTO email_suppression (shop_id, customer_id, address_sealed, at, error)
    VALUES (p_shop_id, p_customer_id, p_address_sealed, p_at, p_error)
        ON CONFLICT (shop_id, customer_id) DO UPDATE SET address_sealed = excluded.address_sealed, at = excluded.at, error = excluded.error;
  END IF;
END $$;
