-- Returns an id that sorts by the time of its creation, to the microsecond, with 62 random bits: uuidv7() of PostgreSQL 18 for PostgreSQL 15 to 17.
CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (left(uuid_v7_min(clock_timestamp())::text, 19) || right(gen_random_uuid()::text, 17))::uuid
$$;
