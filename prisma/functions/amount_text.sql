-- Returns an amount of money as the API and files write it: with the decimals of its currency, such as 49.00, 1200 and 1.250. Further decimals that are
-- not zero stay, so that no amount is changed.
CREATE OR REPLACE FUNCTION amount_text(p_amount numeric, p_currency text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT round(p_amount, greatest(min_scale(p_amount), amount_decimals(p_currency)))::text
$$;
