-- Returns the lowest uuid_v7() of a moment (RFC 9562, version 7): 48 bits of milliseconds, the version, 12 bits of the rest of the millisecond,
-- the variant, and zeros where uuid_v7() has random bits.
CREATE OR REPLACE FUNCTION uuid_v7_min(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(m.us / 1000), 12, '0') || '7' || lpad(to_hex(m.us % 1000 * 4096 / 1000), 3, '0') || '8000000000000000')::uuid
    FROM (SELECT (extract(epoch FROM p_at) * 1000000)::bigint AS us) AS m
$$;
