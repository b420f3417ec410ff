-- What is made of the activity log: the rollups behind the reports, and outbound webhooks.
--
-- Rollups, events, deliveries and attempts are written in bulk and have no foreign keys; what erases a shop erases from them by shop_id.

-- An item that was imported belongs to no day's cohort.
ALTER TABLE wishlist_item ALTER COLUMN saved_on DROP NOT NULL;

ALTER TABLE activity
  ADD COLUMN saved_on        date,
  ADD COLUMN folded_owner_id text,
  -- Every row is written, marked once and dropped by age: what is dead should be gone soon, so that looking for what waits stays cheap.
  SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- An add-to-cart event that was recorded: the same one counts once for an item.
CREATE TABLE cart_event (
  shop_id     integer        NOT NULL,
  wishlist_id bigint         NOT NULL,
  event_id    text           NOT NULL,
  product_id  text           NOT NULL,
  variant_id  text           NOT NULL,
  at          timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, wishlist_id, event_id, product_id, variant_id)
);
CREATE INDEX cart_event_at ON cart_event (shop_id, at);

CREATE TABLE daily_stats (
  shop_id         integer NOT NULL,
  day             date    NOT NULL,
  items_added     integer NOT NULL DEFAULT 0,
  items_removed   integer NOT NULL DEFAULT 0,
  carted          integer NOT NULL DEFAULT 0,
  cohort_carted   integer NOT NULL DEFAULT 0,
  unique_shoppers integer NOT NULL DEFAULT 0,
  last_seen       integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, day)
) WITH (fillfactor = 70);

CREATE TABLE period_stats (
  shop_id         integer NOT NULL,
  day             date    NOT NULL,
  days            integer NOT NULL,
  active_shoppers integer NOT NULL,
  PRIMARY KEY (shop_id, day, days)
);

CREATE TABLE product_daily (
  shop_id       integer NOT NULL,
  product_id    text    NOT NULL,
  day           date    NOT NULL,
  items_added   integer NOT NULL DEFAULT 0,
  items_removed integer NOT NULL DEFAULT 0,
  carted        integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id, day)
) WITH (fillfactor = 80);
CREATE INDEX product_daily_day ON product_daily (shop_id, day);

CREATE TABLE product_stats (
  shop_id        integer NOT NULL,
  product_id     text    NOT NULL,
  wishlist_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id)
) WITH (fillfactor = 80);
CREATE INDEX product_stats_top ON product_stats (shop_id, wishlist_count DESC, product_id);

CREATE TABLE variant_stats (
  shop_id        integer NOT NULL,
  product_id     text    NOT NULL,
  variant_id     text    NOT NULL,
  wishlist_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id, variant_id)
) WITH (fillfactor = 80);

CREATE TABLE shopper (
  shop_id        integer NOT NULL,
  id             bigserial NOT NULL,
  owner_kind     text    NOT NULL,
  owner_id       text    NOT NULL,
  alias_of       bigint,
  last_active_on date,
  PRIMARY KEY (shop_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX shopper_owner ON shopper (shop_id, owner_kind, owner_id);

CREATE TABLE shopper_day (
  shop_id    integer NOT NULL,
  shopper_id bigint  NOT NULL,
  day        date    NOT NULL,
  PRIMARY KEY (shop_id, shopper_id, day)
);
CREATE INDEX shopper_day_day ON shopper_day (shop_id, day);

CREATE TABLE webhook_endpoint (
  shop_id             integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id                  text           NOT NULL,
  url                 text           NOT NULL,
  events              text[]         NOT NULL,
  secret_sealed       text           NOT NULL,
  old_secret_sealed   text,
  old_secret_until    timestamptz(3),
  created_at          timestamptz(3) NOT NULL,
  disabled_at         timestamptz(3),
  disabled_reason     text           CHECK (disabled_reason IN ('paused', 'gone', 'failing')),
  failures            integer        NOT NULL DEFAULT 0,
  failing_since       timestamptz(3),
  resting_until       timestamptz(3),
  due_at              timestamptz(3),
  lease_holder        uuid,
  lease_until         timestamptz(3),
  PRIMARY KEY (shop_id, id),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
) WITH (fillfactor = 50);
-- The delivery loop's claim, over all shops.
CREATE INDEX webhook_endpoint_due ON webhook_endpoint (due_at) WHERE due_at IS NOT NULL AND disabled_at IS NULL;

CREATE TABLE webhook_event (
  shop_id       integer        NOT NULL,
  id            uuid           NOT NULL,
  event         text           NOT NULL,
  at            timestamptz(3) NOT NULL,
  customer_id   text           NOT NULL,
  product_id    text,
  variant_id    text,
  share_link_id bigint,
  item_count    integer,
  PRIMARY KEY (shop_id, id)
);

CREATE TABLE webhook_delivery (
  shop_id         integer        NOT NULL,
  id              uuid           NOT NULL,
  endpoint_id     text           NOT NULL,
  event_id        uuid           NOT NULL,
  event           text           NOT NULL,
  kind            text           NOT NULL CHECK (kind IN ('event', 'test', 'redelivery')),
  status          text           NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  attempts        integer        NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  created_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX webhook_delivery_log ON webhook_delivery (shop_id, endpoint_id, id);
CREATE INDEX webhook_delivery_failed ON webhook_delivery (shop_id, endpoint_id, id) WHERE status = 'failed';
-- What somebody asked for by hand (test, redelivery) comes before the events.
CREATE INDEX webhook_delivery_pending ON webhook_delivery (shop_id, endpoint_id, kind DESC, next_attempt_at, id) WHERE status = 'pending';

CREATE TABLE webhook_attempt (
  shop_id     integer        NOT NULL,
  delivery_id uuid           NOT NULL,
  number      integer        NOT NULL,
  at          timestamptz(3) NOT NULL,
  duration_ms integer        NOT NULL,
  status      integer,
  error       text,
  response    text,
  PRIMARY KEY (shop_id, delivery_id, number)
);

CREATE TABLE idempotent_answer (
  shop_id       integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key_id        text           NOT NULL,
  key           text           NOT NULL,
  fingerprint   bytea          NOT NULL,
  answer_sealed text           NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, key_id, key)
);

-- An id that sorts by the time of its making, to the microsecond, and can't be guessed (72 random bits).
CREATE FUNCTION ordered_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint), 14, '0')
          || right(replace(gen_random_uuid()::text, '-', ''), 18))::uuid
$$;

-- The least ordered_id() of a moment.
CREATE FUNCTION ordered_id_from(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (rpad(lpad(to_hex((extract(epoch FROM p_at) * 1000000)::bigint), 14, '0'), 32, '0'))::uuid
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Changes to wishlists, continued (the rules of the first migration hold).

-- As before, but what is imported belongs to no day's cohort.
CREATE OR REPLACE FUNCTION wishlist_merge(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_product_ids text[], p_variant_ids text[],
  p_added_at timestamptz[], p_source text, p_at timestamptz, OUT added_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
BEGIN
  -- Nothing to add makes no wishlist.
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, cardinality(p_product_ids) > 0);
  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  added_count := 0;
  count_after := coalesce(w.item_count, 0);
  IF w.id IS NULL THEN
    RETURN;
  END IF;

  WITH given AS (
    SELECT product_id, variant_id, least(min(added_at), p_at) AS added_at, min(place) AS place
      FROM unnest(p_product_ids, p_variant_ids, p_added_at) WITH ORDINALITY
           AS g (product_id, variant_id, added_at, place)
     GROUP BY product_id, variant_id
  ), added AS (
    INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on)
    SELECT p_shop_id, w.id, product_id, variant_id, added_at, CASE WHEN p_source <> 'import' THEN s.today END
      FROM given
     ORDER BY added_at, place
        ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
    RETURNING product_id, variant_id, seq
  ), logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'added', p_source, p_owner_kind, p_owner_id, w.id, w.version + 1,
           w.item_count + (count(*) OVER ())::integer, product_id, variant_id, p_at, s.today
      FROM added
     ORDER BY seq
    RETURNING 1
  )
  SELECT count(*) INTO added_count FROM logged;

  IF added_count = 0 THEN
    RETURN;
  END IF;
  count_after := w.item_count + added_count;
  IF count_after > s.item_cap THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  UPDATE wishlist SET item_count = count_after, version = version + 1, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = w.id;
END $$;

-- Records that a saved variant was put into the cart: once per item and event id. outcome: recorded | repeated | not_saved
CREATE FUNCTION wishlist_cart(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_event_id text, p_source text, p_at timestamptz, OUT outcome text
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  i wishlist_item;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  SELECT * INTO i FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id;
  IF NOT FOUND THEN
    outcome := 'not_saved';
    RETURN;
  END IF;

  INSERT INTO cart_event (shop_id, wishlist_id, event_id, product_id, variant_id, at)
  VALUES (p_shop_id, w.id, p_event_id, p_product_id, p_variant_id, p_at)
      ON CONFLICT (shop_id, wishlist_id, event_id, product_id, variant_id) DO NOTHING;
  IF NOT FOUND THEN
    outcome := 'repeated';
    RETURN;
  END IF;

  UPDATE wishlist_item SET carted_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id
     AND carted_at IS NULL;
  -- saved_on: the day whose cohort gains, told by the item's first event alone.
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, saved_on, at, day)
  SELECT p_shop_id, 'carted', p_source, p_owner_kind, p_owner_id, w.id, w.version, w.item_count,
         p_product_id, p_variant_id, CASE WHEN i.carted_at IS NULL THEN i.saved_on END,
         p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM shop s
   WHERE s.id = p_shop_id;
  outcome := 'recorded';
END $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The relay. Rollups, events and deliveries of a batch of activity, and the mark on it, in one transaction.
--
-- What a row of activity means follows from its kind (added, removed, shared, carted, folded) and its source:
--   api, storefront, merge        a shopper's own act: the reports count it, and the shopper is active
--   fold                          a guest's items become a customer's: added for the customer, removed for the guest
--   staff, import, purge, erasure nobody shopped
-- Whatever its source, an added or removed row is one saved item more or less.

-- A guest turns out to be a customer: from now on they are one shopper.
CREATE FUNCTION shopper_fold(p_shop_id integer, p_guest_id text, p_customer_id text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  guest shopper;
  customer shopper;
BEGIN
  INSERT INTO shopper (shop_id, owner_kind, owner_id)
  SELECT p_shop_id, k, i FROM (VALUES ('guest', p_guest_id), ('customer', p_customer_id)) AS o (k, i)
      ON CONFLICT (shop_id, owner_kind, owner_id) DO NOTHING;
  SELECT * INTO guest FROM shopper WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id = p_guest_id;
  SELECT * INTO customer FROM shopper WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id;
  IF guest.alias_of IS NOT NULL THEN
    RETURN;
  END IF;

  -- Days on which both were active counted two.
  WITH days AS (
    DELETE FROM shopper_day WHERE shop_id = p_shop_id AND shopper_id = guest.id RETURNING day
  ), kept AS (
    INSERT INTO shopper_day (shop_id, shopper_id, day) SELECT p_shop_id, customer.id, day FROM days
        ON CONFLICT (shop_id, shopper_id, day) DO NOTHING
    RETURNING day
  )
  UPDATE daily_stats SET unique_shoppers = unique_shoppers - 1
   WHERE shop_id = p_shop_id AND day IN (SELECT day FROM days EXCEPT SELECT day FROM kept);
  -- Of two last days the later one stays.
  UPDATE daily_stats SET last_seen = last_seen - 1
   WHERE shop_id = p_shop_id AND day = least(guest.last_active_on, customer.last_active_on)
     AND guest.last_active_on IS NOT NULL AND customer.last_active_on IS NOT NULL;
  UPDATE shopper SET alias_of = customer.id, last_active_on = NULL WHERE shop_id = p_shop_id AND id = guest.id;
  UPDATE shopper SET last_active_on = greatest(customer.last_active_on, guest.last_active_on)
   WHERE shop_id = p_shop_id AND id = customer.id;
END $$;

-- Drains up to p_limit rows of a shop. With p_wait it takes its turn behind whoever is at it; without, relayed is null then.
-- endpoints are those that got something to deliver.
CREATE FUNCTION relay(
  p_shop_id integer, p_limit integer, p_wait boolean, OUT relayed integer, OUT endpoints text[]
) LANGUAGE plpgsql AS $$
DECLARE
  batch activity[];
  own CONSTANT text[] := ARRAY['api', 'storefront', 'merge'];
  f record;
BEGIN
  -- The lock's number is this function's; 1 is anybody's choice.
  IF p_wait THEN
    PERFORM pg_advisory_xact_lock(1, p_shop_id);
  ELSIF NOT pg_try_advisory_xact_lock(1, p_shop_id) THEN
    RETURN;
  END IF;

  -- By state, not by a high-water mark: ids are given before the transaction commits, so a lower one can turn up later.
  -- (Rows as a whole, w.a: of a subquery's columns PostgreSQL would make text on their way into the array.)
  SELECT array_agg(w.a ORDER BY w.id) INTO batch
    FROM (SELECT a, a.id FROM activity a WHERE a.shop_id = p_shop_id AND a.relayed_at IS NULL ORDER BY a.id LIMIT p_limit) AS w;
  relayed := coalesce(cardinality(batch), 0);
  IF relayed = 0 THEN
    RETURN;
  END IF;

  FOR f IN SELECT b.owner_id, b.folded_owner_id FROM unnest(batch) AS b WHERE b.kind = 'folded' ORDER BY b.id LOOP
    PERFORM shopper_fold(p_shop_id, f.folded_owner_id, f.owner_id);
  END LOOP;

  -- Subqueries with a LIMIT are looked up row by row, by their keys. Left to itself the planner, which can't know how long a batch is,
  -- joins whole tables.
  WITH given AS MATERIALIZED (
    SELECT a.owner_kind, a.owner_id, a.day, k.id, k.alias_of, k.last_active_on
      FROM (SELECT DISTINCT b.owner_kind, b.owner_id, b.day FROM unnest(batch) AS b WHERE b.source = ANY (own)) AS a
      LEFT JOIN LATERAL (SELECT s.id, s.alias_of, s.last_active_on FROM shopper s
                          WHERE s.shop_id = p_shop_id AND s.owner_kind = a.owner_kind AND s.owner_id = a.owner_id LIMIT 1) AS k
        ON true
  ), met AS (
    INSERT INTO shopper (shop_id, owner_kind, owner_id, last_active_on)
    SELECT p_shop_id, owner_kind, owner_id, max(day) FROM given WHERE id IS NULL GROUP BY owner_kind, owner_id
    RETURNING id, owner_kind, owner_id, last_active_on
  ), acts AS MATERIALIZED (
    -- A shopper's last day is in shopper_day already: most acts are of such a day.
    SELECT DISTINCT s.id, g.day, s.last_active_on
      FROM given g
     CROSS JOIN LATERAL (SELECT g.id, g.last_active_on WHERE g.alias_of IS NULL
                          UNION ALL
                         SELECT k.id, k.last_active_on FROM shopper k WHERE k.shop_id = p_shop_id AND k.id = g.alias_of
                          LIMIT 1) AS s
     WHERE g.id IS NOT NULL AND s.last_active_on IS DISTINCT FROM g.day
  ), came AS (
    INSERT INTO shopper_day (shop_id, shopper_id, day)
    SELECT p_shop_id, id, day FROM acts
    UNION ALL
    SELECT p_shop_id, m.id, g.day
      FROM met m JOIN given g ON g.id IS NULL AND g.owner_kind = m.owner_kind AND g.owner_id = m.owner_id
        ON CONFLICT (shop_id, shopper_id, day) DO NOTHING
    RETURNING day
  ), moved AS (
    UPDATE shopper s SET last_active_on = l.day
      FROM (SELECT id, last_active_on AS before, max(day) AS day FROM acts GROUP BY id, last_active_on) AS l
     WHERE s.shop_id = p_shop_id AND s.id = l.id AND (l.before IS NULL OR l.before < l.day)
    RETURNING l.before, l.day
  ), changes (day, added, removed, carted, cohort, shoppers, seen) AS (
    SELECT b.day, count(*) FILTER (WHERE b.kind = 'added'), count(*) FILTER (WHERE b.kind = 'removed'),
           count(*) FILTER (WHERE b.kind = 'carted'), 0, 0, 0
      FROM unnest(batch) AS b WHERE b.source = ANY (own) GROUP BY b.day
    UNION ALL
    SELECT b.saved_on, 0, 0, 0, count(*), 0, 0
      FROM unnest(batch) AS b WHERE b.kind = 'carted' AND b.saved_on IS NOT NULL GROUP BY b.saved_on
    UNION ALL
    SELECT day, 0, 0, 0, 0, count(*), 0 FROM came GROUP BY day
    UNION ALL
    SELECT day, 0, 0, 0, 0, 0, count(*) FROM moved GROUP BY day
    UNION ALL
    SELECT last_active_on, 0, 0, 0, 0, 0, count(*) FROM met GROUP BY last_active_on
    UNION ALL
    SELECT before, 0, 0, 0, 0, 0, -count(*) FROM moved WHERE before IS NOT NULL GROUP BY before
  )
  INSERT INTO daily_stats AS t (shop_id, day, items_added, items_removed, carted, cohort_carted, unique_shoppers, last_seen)
  SELECT p_shop_id, day, sum(added), sum(removed), sum(carted), sum(cohort), sum(shoppers), sum(seen)
    FROM changes GROUP BY day
      ON CONFLICT (shop_id, day) DO UPDATE
     SET items_added = t.items_added + EXCLUDED.items_added, items_removed = t.items_removed + EXCLUDED.items_removed,
         carted = t.carted + EXCLUDED.carted, cohort_carted = t.cohort_carted + EXCLUDED.cohort_carted,
         unique_shoppers = t.unique_shoppers + EXCLUDED.unique_shoppers, last_seen = t.last_seen + EXCLUDED.last_seen;

  INSERT INTO product_daily AS t (shop_id, product_id, day, items_added, items_removed, carted)
  SELECT p_shop_id, b.product_id, b.day, count(*) FILTER (WHERE b.kind = 'added'),
         count(*) FILTER (WHERE b.kind = 'removed'), count(*) FILTER (WHERE b.kind = 'carted')
    FROM unnest(batch) AS b
   WHERE b.source = ANY (own) AND b.product_id IS NOT NULL
   GROUP BY b.product_id, b.day
      ON CONFLICT (shop_id, product_id, day) DO UPDATE
     SET items_added = t.items_added + EXCLUDED.items_added, items_removed = t.items_removed + EXCLUDED.items_removed,
         carted = t.carted + EXCLUDED.carted;

  INSERT INTO variant_stats AS t (shop_id, product_id, variant_id, wishlist_count)
  SELECT p_shop_id, b.product_id, b.variant_id, sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END) AS net
    FROM unnest(batch) AS b
   WHERE b.kind IN ('added', 'removed')
   GROUP BY b.product_id, b.variant_id
  HAVING sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END) <> 0
      ON CONFLICT (shop_id, product_id, variant_id) DO UPDATE SET wishlist_count = t.wishlist_count + EXCLUDED.wishlist_count;

  INSERT INTO product_stats AS t (shop_id, product_id, wishlist_count)
  SELECT p_shop_id, b.product_id, sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END)
    FROM unnest(batch) AS b
   WHERE b.kind IN ('added', 'removed')
   GROUP BY b.product_id
  HAVING sum(CASE b.kind WHEN 'added' THEN 1 ELSE -1 END) <> 0
      ON CONFLICT (shop_id, product_id) DO UPDATE SET wishlist_count = t.wishlist_count + EXCLUDED.wishlist_count;

  endpoints := webhook_queue(p_shop_id, batch);

  UPDATE activity SET relayed_at = clock_timestamp()
   WHERE shop_id = p_shop_id AND id = ANY (ARRAY(SELECT b.id FROM unnest(batch) AS b));
END $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Webhooks. An endpoint is worked on by one process at a time, which holds its lease. due_at is when it next has something to
-- deliver, and null when it has not: whoever makes a delivery locks the endpoint's row and brings due_at forward, and whoever
-- finds nothing left locks it, looks once more, and sets due_at to what it finds. So nothing is overlooked between the two.

-- p_at_once: although it rests, because somebody is looking.
CREATE FUNCTION webhook_wake(p_shop_id integer, p_endpoints text[], p_at_once boolean DEFAULT true)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM webhook_endpoint WHERE shop_id = p_shop_id AND id = ANY (p_endpoints) ORDER BY id FOR NO KEY UPDATE;
  UPDATE webhook_endpoint
     SET due_at = CASE WHEN p_at_once THEN clock_timestamp() ELSE greatest(resting_until, clock_timestamp()) END
   WHERE shop_id = p_shop_id AND id = ANY (p_endpoints)
     AND (due_at IS NULL OR due_at > CASE WHEN p_at_once THEN clock_timestamp() ELSE greatest(resting_until, clock_timestamp()) END);
END $$;

-- Events and deliveries of a batch of activity. Yields the endpoints that got any.
CREATE FUNCTION webhook_queue(p_shop_id integer, p_batch activity[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  endpoints text[];
BEGIN
  PERFORM 1 FROM webhook_endpoint WHERE shop_id = p_shop_id AND disabled_at IS NULL LIMIT 1;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  WITH named AS MATERIALIZED (
    SELECT ordered_id() AS event_id, b.*,
           CASE b.kind WHEN 'added' THEN 'wishlist.item.added' WHEN 'removed' THEN 'wishlist.item.removed' ELSE 'wishlist.shared' END
           AS event
      FROM unnest(p_batch) AS b
     WHERE b.owner_kind = 'customer'
       AND ((b.kind = 'added' AND b.source <> 'import')
            OR (b.kind = 'removed' AND b.source IN ('api', 'storefront', 'staff')) OR b.kind = 'shared')
  ), subscribed AS MATERIALIZED (
    SELECT e.id AS endpoint_id, n.*
      FROM named n JOIN webhook_endpoint e ON e.shop_id = p_shop_id AND e.disabled_at IS NULL AND n.event = ANY (e.events)
  ), events AS (
    INSERT INTO webhook_event (shop_id, id, event, at, customer_id, product_id, variant_id, share_link_id, item_count)
    SELECT DISTINCT ON (s.event_id) p_shop_id, s.event_id, s.event, s.at, s.owner_id, s.product_id, s.variant_id,
           s.share_link_id, CASE WHEN s.kind = 'shared' THEN s.item_count END
      FROM subscribed s
     ORDER BY s.event_id
  ), deliveries AS (
    INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, status, next_attempt_at, created_at)
    SELECT p_shop_id, ordered_id(), s.endpoint_id, s.event_id, s.event, 'event', 'pending', clock_timestamp(), clock_timestamp()
      FROM (SELECT endpoint_id, event_id, event FROM subscribed ORDER BY event_id) AS s
    RETURNING endpoint_id
  )
  SELECT array_agg(DISTINCT endpoint_id) INTO endpoints FROM deliveries;
  PERFORM webhook_wake(p_shop_id, endpoints, false);
  RETURN endpoints;
END $$;

-- Nothing is left to do at once: says when the endpoint is due again. Yields false when that is now.
CREATE FUNCTION webhook_settle(p_shop_id integer, p_endpoint text, p_holder uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  resting timestamptz;
  due timestamptz;
BEGIN
  SELECT resting_until INTO resting FROM webhook_endpoint
   WHERE shop_id = p_shop_id AND id = p_endpoint AND lease_holder = p_holder FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  SELECT min(CASE WHEN k.kind = 'event' THEN greatest(n.next_attempt_at, resting) ELSE n.next_attempt_at END) INTO due
    FROM (VALUES ('test'), ('redelivery'), ('event')) AS k (kind)
   CROSS JOIN LATERAL (SELECT next_attempt_at FROM webhook_delivery
                        WHERE shop_id = p_shop_id AND endpoint_id = p_endpoint AND status = 'pending' AND kind = k.kind
                        ORDER BY next_attempt_at LIMIT 1) AS n;
  UPDATE webhook_endpoint SET due_at = due WHERE shop_id = p_shop_id AND id = p_endpoint;
  RETURN due IS NULL OR due > clock_timestamp();
END $$;
