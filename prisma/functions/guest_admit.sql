-- Counts a new guest in this hour (UTC), for each of p_origins and for the shop. p_origins are the caller's address and the network around it, hashed; each
-- may have a share of the shop's p_limit only, so that one caller can't use it up. Errors, whose rollback takes the counts back as well: WL012 when the
-- shop, WL013 when an origin has had its new guests. The rows stay locked until the end of the transaction, so the counts are exact across processes.
-- The narrowest origin is locked first, so that two transactions never wait for each other. The hour never moves back: the clocks of two machines differ.
CREATE OR REPLACE FUNCTION guest_admit(
  p_shop_id bigint, p_limit integer, p_at timestamptz, p_origins text[] DEFAULT '{}'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  shares CONSTANT numeric[] := ARRAY[0.1, 0.25];
  this_hour CONSTANT timestamptz := date_trunc('hour', p_at, 'UTC');
  of_origin text;
  origin_limit integer;
BEGIN
  FOR ordinal IN 1 .. cardinality(p_origins) LOOP
    of_origin := p_origins[ordinal];
    origin_limit := ceil(p_limit * shares[ordinal]);
    INSERT INTO guest_origin_hour AS t (shop_id, origin, hour, guests) VALUES (p_shop_id, of_origin, this_hour, 1)
        ON CONFLICT (shop_id, origin) DO UPDATE
       SET hour = greatest(t.hour, EXCLUDED.hour), guests = CASE WHEN EXCLUDED.hour > t.hour THEN 1 ELSE t.guests + 1 END
     WHERE EXCLUDED.hour > t.hour OR t.guests < origin_limit;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'too many new guests of one origin' USING ERRCODE = 'WL013';
    END IF;
  END LOOP;
  INSERT INTO guest_hour AS t (shop_id, hour, guests) VALUES (p_shop_id, this_hour, 1)
      ON CONFLICT (shop_id) DO UPDATE
     SET hour = greatest(t.hour, EXCLUDED.hour), guests = CASE WHEN EXCLUDED.hour > t.hour THEN 1 ELSE t.guests + 1 END
   WHERE EXCLUDED.hour > t.hour OR t.guests < p_limit;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'too many new guests of the shop' USING ERRCODE = 'WL012';
  END IF;
END $$;
