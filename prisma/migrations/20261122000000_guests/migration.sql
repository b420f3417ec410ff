-- Guests: shoppers without an account, whose lists are folded into their own when they log in. A guest's owner_id is the hash of the id
-- that the browser made, never the id itself.

-- What is left of a guest whose list was folded: a late write under that id must not begin a list that the next account would take over.
CREATE TABLE folded_guest (
  shop_id     integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  guest_id    text           NOT NULL,
  customer_id text           NOT NULL,
  folded_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, guest_id)
);
-- By age, and all guests of a customer who is to be forgotten.
CREATE INDEX folded_guest_at ON folded_guest (shop_id, folded_at);
CREATE INDEX folded_guest_customer ON folded_guest (shop_id, customer_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Changes to wishlists, continued (the rules of the first migration hold). Whoever locks several things locks them in this order: the
-- guest's turn, the guest's wishlist, the customer's wishlist. Nobody locks two wishlists of one kind, but for the purge, which
-- waits for none.

-- Waits until nobody else is at a guest's list, whether or not there is one, until the end of the transaction. The customer who has it
-- now, or null.
CREATE FUNCTION guest_turn(p_shop_id integer, p_guest_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  folded_into text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_shop_id || ' ' || p_guest_id, 0));
  -- A statement of its own: it sees what was committed before the turn came.
  SELECT customer_id INTO folded_into FROM folded_guest WHERE shop_id = p_shop_id AND guest_id = p_guest_id;
  RETURN folded_into;
END $$;

-- As before, but a guest whose list was folded has none any more and gets none: error WL002.
CREATE OR REPLACE FUNCTION wishlist_lock(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_at timestamptz, p_create boolean
) RETURNS wishlist LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
BEGIN
  IF p_owner_kind = 'guest' AND guest_turn(p_shop_id, p_owner_id) IS NOT NULL THEN
    RAISE EXCEPTION 'the guest''s list was folded into a customer''s' USING ERRCODE = 'WL002';
  END IF;
  LOOP
    SELECT * INTO w FROM wishlist
     WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id AND handle = 'default'
       FOR NO KEY UPDATE;
    IF FOUND OR NOT p_create THEN
      RETURN w;
    END IF;
    -- When somebody else makes it at the same moment this waits for them, does nothing, and the loop locks theirs.
    INSERT INTO wishlist (shop_id, owner_kind, owner_id, created_at, updated_at)
    VALUES (p_shop_id, p_owner_kind, p_owner_id, p_at, p_at)
        ON CONFLICT (shop_id, owner_kind, owner_id, handle) DO NOTHING;
  END LOOP;
END $$;

-- Folds a guest's list into a customer's, once: whoever asks again, or for another customer, finds folded false and changes nothing. An
-- item that the customer has keeps its row, the others move as they are; so do the cart events, so that one that is reported again
-- is known. More than the shop's cap: error WL001, nothing is changed.
CREATE FUNCTION wishlist_fold(
  p_shop_id integer, p_guest_id text, p_customer_id text, p_at timestamptz,
  OUT folded boolean, OUT added_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  g wishlist;
  c wishlist;
BEGIN
  folded := guest_turn(p_shop_id, p_guest_id) IS NULL;
  added_count := 0;
  count_after := 0;
  IF folded THEN
    g := wishlist_lock(p_shop_id, 'guest', p_guest_id, p_at, false);
    INSERT INTO folded_guest (shop_id, guest_id, customer_id, folded_at)
    VALUES (p_shop_id, p_guest_id, p_customer_id, p_at);
  END IF;
  IF g.id IS NULL THEN
    SELECT item_count INTO count_after FROM wishlist
     WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id AND handle = 'default';
    count_after := coalesce(count_after, 0);
    RETURN;
  END IF;

  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  c := wishlist_lock(p_shop_id, 'customer', p_customer_id, p_at, true);

  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, at, day)
  SELECT p_shop_id, 'removed', 'fold', 'guest', p_guest_id, g.id, g.version + 1, 0, product_id, variant_id, p_at, s.today
    FROM wishlist_item
   WHERE shop_id = p_shop_id AND wishlist_id = g.id
   ORDER BY seq;

  WITH moved AS (
    UPDATE wishlist_item i SET wishlist_id = c.id
     WHERE i.shop_id = p_shop_id AND i.wishlist_id = g.id
       AND NOT EXISTS (SELECT 1 FROM wishlist_item k WHERE k.shop_id = p_shop_id AND k.wishlist_id = c.id
                          AND k.product_id = i.product_id AND k.variant_id = i.variant_id)
    RETURNING i.product_id, i.variant_id, i.seq
  ), logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'added', 'fold', 'customer', p_customer_id, c.id, c.version + 1,
           c.item_count + (count(*) OVER ())::integer, product_id, variant_id, p_at, s.today
      FROM moved
     ORDER BY seq
    RETURNING 1
  )
  SELECT count(*) INTO added_count FROM logged;
  count_after := c.item_count + added_count;
  IF count_after > s.item_cap THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  IF added_count > 0 THEN
    UPDATE wishlist SET item_count = count_after, version = version + 1, updated_at = p_at
     WHERE shop_id = p_shop_id AND id = c.id;
  END IF;

  INSERT INTO cart_event (shop_id, wishlist_id, event_id, product_id, variant_id, at)
  SELECT shop_id, c.id, event_id, product_id, variant_id, at FROM cart_event
   WHERE shop_id = p_shop_id AND wishlist_id = g.id
      ON CONFLICT (shop_id, wishlist_id, event_id, product_id, variant_id) DO NOTHING;
  DELETE FROM cart_event WHERE shop_id = p_shop_id AND wishlist_id = g.id;

  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, folded_owner_id, wishlist_id, version, item_count, at, day)
  VALUES (p_shop_id, 'folded', 'fold', 'customer', p_customer_id, p_guest_id, c.id,
          c.version + (added_count > 0)::integer, count_after, p_at, s.today);
  DELETE FROM wishlist WHERE shop_id = p_shop_id AND id = g.id;
END $$;

-- A guest looks at their list: it is in use, though nothing changes.
CREATE FUNCTION guest_seen(p_shop_id integer, p_guest_id text, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE wishlist SET updated_at = p_at
   WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id = p_guest_id AND handle = 'default' AND updated_at < p_at;
END $$;

-- Removes those of the next p_limit guests after p_after whose list has not been used since p_before. A list that somebody is at stays
-- for the next time. last is where to go on, null at the end: so all are looked at once, by the index of owners.
CREATE FUNCTION guest_purge(
  p_shop_id integer, p_before timestamptz, p_after text, p_limit integer, p_at timestamptz, OUT gone integer, OUT last text
) LANGUAGE plpgsql AS $$
DECLARE
  looked_at bigint[];
  idle bigint[];
BEGIN
  SELECT array_agg(n.id), max(n.owner_id) INTO looked_at, last
    FROM (SELECT id, owner_id FROM wishlist
           WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id > p_after
           ORDER BY owner_id LIMIT p_limit) AS n;
  SELECT array_agg(l.id) INTO idle
    FROM (SELECT id FROM wishlist
           WHERE shop_id = p_shop_id AND id = ANY (looked_at) AND updated_at < p_before
             FOR UPDATE SKIP LOCKED) AS l;
  gone := coalesce(cardinality(idle), 0);
  IF gone = 0 THEN
    RETURN;
  END IF;

  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, at, day)
  SELECT p_shop_id, 'removed', 'purge', 'guest', w.owner_id, w.id, w.version + 1, 0, i.product_id, i.variant_id,
         p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM shop s
    JOIN wishlist w ON w.shop_id = s.id
    JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id
   WHERE s.id = p_shop_id AND w.shop_id = p_shop_id AND w.id = ANY (idle)
   ORDER BY w.id, i.seq;
  DELETE FROM cart_event WHERE shop_id = p_shop_id AND wishlist_id = ANY (idle);
  DELETE FROM wishlist WHERE shop_id = p_shop_id AND id = ANY (idle);
END $$;
