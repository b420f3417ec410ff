-- Returns the lowest uuid_v7() of a moment: the same time, and zeros where uuid_v7() has random bits.
CREATE OR REPLACE FUNCTION uuid_v7_min(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (overlay(lpad(to_hex((extract(epoch FROM p_at) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7' FROM 13 FOR 0)
          || '8000000000000000')::uuid
$$;
