-- Shops, API keys, wishlists, share links, the catalogue mirror and the activity log.

CREATE TABLE shop (
  id              serial         PRIMARY KEY,
  domain          text           NOT NULL,
  time_zone       text           NOT NULL DEFAULT 'UTC',
  plan            text           NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'starter', 'growth')),
  catalog         text           NOT NULL DEFAULT 'none' CHECK (catalog IN ('none', 'syncing', 'ready')),
  share_link_days integer        NOT NULL DEFAULT 30 CHECK (share_link_days BETWEEN 1 AND 365),
  item_cap        integer        NOT NULL DEFAULT 2500 CHECK (item_cap BETWEEN 1 AND 2500),
  installed_at    timestamptz(3) NOT NULL DEFAULT now(),
  uninstalled_at  timestamptz(3),
  changed_at      timestamptz(6) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX shop_domain_key ON shop (domain);
CREATE INDEX shop_changed_at ON shop (changed_at);

CREATE TABLE api_key (
  shop_id          integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key_id           text           NOT NULL,
  name             text           NOT NULL,
  scopes           text[]         NOT NULL,
  secret_hash      bytea          NOT NULL,
  secret_hint      text           NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at     timestamptz(3),
  expires_at       timestamptz(3),
  revoked_at       timestamptz(3),
  successor_key_id text,
  changed_at       timestamptz(6) NOT NULL DEFAULT now(),
  PRIMARY KEY (shop_id, key_id)
);
CREATE UNIQUE INDEX api_key_key_id_key ON api_key (key_id);
CREATE INDEX api_key_changed_at ON api_key (changed_at);

CREATE TABLE wishlist (
  shop_id    integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id         bigserial      NOT NULL,
  owner_kind text           NOT NULL CHECK (owner_kind IN ('customer', 'guest')),
  owner_id   text           NOT NULL,
  handle     text           NOT NULL DEFAULT 'default',
  item_count integer        NOT NULL DEFAULT 0 CHECK (item_count >= 0),
  version    bigint         NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX wishlist_owner ON wishlist (shop_id, owner_kind, owner_id, handle);

CREATE TABLE wishlist_item (
  shop_id     integer        NOT NULL,
  wishlist_id bigint         NOT NULL,
  product_id  text           NOT NULL,
  variant_id  text           NOT NULL,
  added_at    timestamptz(3) NOT NULL,
  seq         bigserial      NOT NULL,
  saved_on    date           NOT NULL,
  carted_at   timestamptz(3),
  PRIMARY KEY (shop_id, wishlist_id, product_id, variant_id),
  FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- A page is one range of this index, read without touching the table.
CREATE INDEX wishlist_item_newest ON wishlist_item (shop_id, wishlist_id, added_at DESC, seq DESC)
  INCLUDE (product_id, variant_id);

CREATE TABLE share_link (
  shop_id      integer        NOT NULL,
  id           bigserial      NOT NULL,
  wishlist_id  bigint         NOT NULL,
  token_hash   bytea          NOT NULL,
  token_sealed text           NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  revoked_at   timestamptz(3),
  views        integer        NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, id),
  FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX share_link_token_hash_key ON share_link (token_hash);
-- At most one link of a wishlist is open; an expired one is closed when the next is made.
CREATE UNIQUE INDEX share_link_open ON share_link (shop_id, wishlist_id) WHERE revoked_at IS NULL;

CREATE TABLE product (
  shop_id            integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  product_id         text           NOT NULL,
  handle             text           NOT NULL,
  title              text           NOT NULL,
  image_url          text,
  default_variant_id text           NOT NULL,
  updated_at         timestamptz(3) NOT NULL,
  deleted_at         timestamptz(3),
  PRIMARY KEY (shop_id, product_id)
);

CREATE TABLE variant (
  shop_id    integer        NOT NULL,
  variant_id text           NOT NULL,
  product_id text           NOT NULL,
  title      text           NOT NULL,
  price      numeric(14, 2) NOT NULL,
  available  boolean        NOT NULL,
  position   integer        NOT NULL,
  deleted_at timestamptz(3),
  PRIMARY KEY (shop_id, variant_id),
  FOREIGN KEY (shop_id, product_id) REFERENCES product (shop_id, product_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX variant_product ON variant (shop_id, product_id);

CREATE TABLE activity (
  shop_id       integer        NOT NULL,
  id            bigserial      NOT NULL,
  kind          text           NOT NULL,
  source        text           NOT NULL,
  owner_kind    text           NOT NULL,
  owner_id      text           NOT NULL,
  wishlist_id   bigint         NOT NULL,
  version       bigint         NOT NULL,
  item_count    integer        NOT NULL,
  product_id    text,
  variant_id    text,
  share_link_id bigint,
  at            timestamptz(3) NOT NULL,
  day           date           NOT NULL,
  relayed_at    timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
-- What the relay has yet to drain.
CREATE INDEX activity_waiting ON activity (shop_id, id) WHERE relayed_at IS NULL;

-- ---------------------------------------------------------------------------------------------------------------------
-- Changes to wishlists. These functions are the only writers of wishlist, wishlist_item, share_link and activity. Each
-- locks the wishlist's row first and looks at the rest afterwards: under READ COMMITTED every statement sees what was
-- committed before it began, so whoever holds the lock sees all that its predecessors did.

-- The wishlist of an owner, locked until the end of the transaction. With p_create it is made when it is not there;
-- without, a row of nulls is returned.
CREATE FUNCTION wishlist_lock(p_shop_id integer, p_owner_kind text, p_owner_id text, p_at timestamptz, p_create boolean)
RETURNS wishlist LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
BEGIN
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

-- outcome: added | present | full
CREATE FUNCTION wishlist_add(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_source text, p_at timestamptz, OUT outcome text, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, true);
  count_after := w.item_count;

  PERFORM 1 FROM wishlist_item
    WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id;
  IF FOUND THEN
    outcome := 'present';
    RETURN;
  END IF;

  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  IF w.item_count >= s.item_cap THEN
    outcome := 'full';
    RETURN;
  END IF;

  INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on)
  VALUES (p_shop_id, w.id, p_product_id, p_variant_id, p_at, s.today);
  UPDATE wishlist SET item_count = item_count + 1, version = version + 1, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = w.id;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, at, day)
  VALUES (p_shop_id, 'added', p_source, p_owner_kind, p_owner_id, w.id, w.version + 1, w.item_count + 1,
          p_product_id, p_variant_id, p_at, s.today);
  outcome := 'added';
  count_after := w.item_count + 1;
END $$;

-- Removes one variant, or with p_variant_id null every variant of the product. One activity row for each row removed.
CREATE FUNCTION wishlist_remove(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_source text, p_at timestamptz, OUT removed_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  removed_variants text[];
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  removed_count := 0;
  count_after := coalesce(w.item_count, 0);
  IF w.id IS NULL THEN
    RETURN;
  END IF;

  WITH gone AS (
    DELETE FROM wishlist_item
     WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id
       AND (p_variant_id IS NULL OR variant_id = p_variant_id)
    RETURNING variant_id, seq
  )
  SELECT array_agg(variant_id ORDER BY seq) INTO removed_variants FROM gone;
  removed_count := coalesce(cardinality(removed_variants), 0);
  IF removed_count = 0 THEN
    RETURN;
  END IF;

  count_after := w.item_count - removed_count;
  UPDATE wishlist SET item_count = count_after, version = version + 1, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = w.id;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, at, day)
  SELECT p_shop_id, 'removed', p_source, p_owner_kind, p_owner_id, w.id, w.version + 1, count_after,
         p_product_id, v, p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM shop s, unnest(removed_variants) AS v
   WHERE s.id = p_shop_id;
END $$;

-- Folds items (three arrays of equal length) into a wishlist, all or nothing. Duplicates fold to the earliest time, a time
-- to come is taken as now, what is saved already keeps its row. More than the shop's cap: error WL001, nothing is stored.
CREATE FUNCTION wishlist_merge(
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
    SELECT p_shop_id, w.id, product_id, variant_id, added_at, s.today
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

-- The open share link of a wishlist, or a new one with the token given: two callers at the same moment get the same link.
CREATE FUNCTION wishlist_share(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_token_hash bytea, p_token_sealed text,
  p_source text, p_at timestamptz, OUT created boolean, OUT sealed text, OUT expires timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
  link_id bigint;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, true);
  created := false;
  SELECT token_sealed, expires_at INTO sealed, expires FROM share_link
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL AND expires_at > p_at;
  IF FOUND THEN
    RETURN;
  END IF;

  SELECT share_link_days, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  UPDATE share_link SET revoked_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL;
  INSERT INTO share_link (shop_id, wishlist_id, token_hash, token_sealed, created_at, expires_at)
  VALUES (p_shop_id, w.id, p_token_hash, p_token_sealed, p_at, p_at + make_interval(days => s.share_link_days))
  RETURNING id, token_sealed, expires_at INTO link_id, sealed, expires;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        share_link_id, at, day)
  VALUES (p_shop_id, 'shared', p_source, p_owner_kind, p_owner_id, w.id, w.version, w.item_count,
          link_id, p_at, s.today);
  created := true;
END $$;

-- Closes the open share link. revoked is false when there was none.
CREATE FUNCTION wishlist_unshare(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_at timestamptz, OUT revoked boolean
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  UPDATE share_link SET revoked_at = p_at
   WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL AND expires_at > p_at;
  revoked := FOUND;
END $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Whoever changes a key or a shop (the service, the command line, an operator's psql) tells every running process.

CREATE FUNCTION mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE FUNCTION announce_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wishlist_access', 'key ' || coalesce(NEW.key_id, OLD.key_id));
  RETURN NULL;
END $$;

CREATE FUNCTION announce_shop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wishlist_access', 'shop ' || coalesce(NEW.id, OLD.id));
  RETURN NULL;
END $$;

-- Using a key (last_used_at) changes nothing that others need to hear.
CREATE TRIGGER api_key_changed BEFORE UPDATE OF scopes, expires_at, revoked_at, successor_key_id ON api_key
  FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER api_key_announced AFTER DELETE OR UPDATE OF scopes, expires_at, revoked_at, successor_key_id ON api_key
  FOR EACH ROW EXECUTE FUNCTION announce_key();
CREATE TRIGGER shop_changed BEFORE UPDATE ON shop FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER shop_announced AFTER DELETE OR UPDATE ON shop FOR EACH ROW EXECUTE FUNCTION announce_shop();
