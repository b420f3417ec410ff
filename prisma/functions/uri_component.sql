-- Returns a text percent-encoded for a segment or value of a URL.
CREATE OR REPLACE FUNCTION uri_component(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  encoded text;
BEGIN
  IF p_text ~ '^[A-Za-z0-9_.~-]*$' THEN
    RETURN p_text;
  END IF;
  SELECT string_agg(CASE WHEN t.c ~ '[A-Za-z0-9_.~-]' THEN t.c
                         ELSE regexp_replace(upper(encode(convert_to(t.c, 'UTF8'), 'hex')), '(..)', '%\1', 'g') END, '' ORDER BY t.ordinal)
    INTO encoded
    FROM regexp_split_to_table(p_text, '') WITH ORDINALITY AS t (c, ordinal);
  RETURN encoded;
END $$;
