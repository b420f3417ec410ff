-- Returns the decimals of a currency by ISO 4217; two for an unknown one. Equal to currencyDecimals() of app/platform/text/currency.ts, by a test. The name
-- sorts before amount_text, which uses it: the nodes of a distributed database create the functions by their names.
CREATE OR REPLACE FUNCTION amount_decimals(p_currency text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0
              WHEN p_currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
              ELSE 2 END
$$;
