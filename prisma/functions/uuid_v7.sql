-- Returns an id that sorts by the time of its creation, to the microsecond, with 62 random bits: uuidv7() of PostgreSQL 18 for PostgreSQL 15 to 17.
-- RFC 9562, version 7: 48 bits of milliseconds, the version, 12 bits of the rest of the millisecond (so units of 1/4096 ms), the variant, random
-- bits. A microsecond is 512/125 such units. A single expression, which PostgreSQL inlines.
CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7' FROM 13 FOR 0)
          || right(gen_random_uuid()::text, 17))::uuid
$$;
