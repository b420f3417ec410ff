-- What a merchant can settle, and the import of wishlists from a file.

ALTER TABLE shop
  ADD COLUMN guest_lists          boolean NOT NULL DEFAULT true,
  ADD COLUMN guest_retention_days integer NOT NULL DEFAULT 90 CHECK (guest_retention_days BETWEEN 1 AND 365),
  -- The merchant has chosen the time zone: what Shopify says of it counts no more.
  ADD COLUMN time_zone_chosen     boolean NOT NULL DEFAULT false,
  ADD COLUMN settings_version     integer NOT NULL DEFAULT 0;

-- Privacy requests as the merchant pages through them, newest first.
CREATE INDEX privacy_request_newest ON privacy_request (shop_id, requested_at DESC, id DESC);

-- The links by which exports are fetched, each of them once.
CREATE TABLE export_link (
  shop_id    integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  token_hash bytea          NOT NULL,
  format     text           NOT NULL CHECK (format IN ('csv', 'ndjson')),
  guests     boolean        NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, token_hash)
);

-- A file is uploaded in parts, read into items (which tells what is wrong with it), and imported when the merchant says so.
CREATE TABLE wishlist_import (
  shop_id       integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id            text           NOT NULL,
  status        text           NOT NULL
    CHECK (status IN ('uploading', 'reading', 'ready', 'running', 'done', 'cancelled', 'failed')),
  format        text           NOT NULL CHECK (format IN ('csv', 'ndjson')),
  file_name     text           NOT NULL,
  size          bigint         NOT NULL CHECK (size > 0),
  received      bigint         NOT NULL DEFAULT 0,
  -- The reading goes on at this byte, which begins this line.
  read_bytes    bigint         NOT NULL DEFAULT 0,
  next_line     integer        NOT NULL DEFAULT 1,
  header        text,
  rows_read     integer        NOT NULL DEFAULT 0,
  rows_invalid  integer        NOT NULL DEFAULT 0,
  -- Items of the file, each once; of those, what the dry run foresaw.
  items         integer        NOT NULL DEFAULT 0,
  lists         integer        NOT NULL DEFAULT 0,
  items_new     integer        NOT NULL DEFAULT 0,
  items_refused integer        NOT NULL DEFAULT 0,
  -- The run goes on after this owner.
  last_kind     text           NOT NULL DEFAULT '',
  last_owner    text           NOT NULL DEFAULT '',
  items_done    integer        NOT NULL DEFAULT 0,
  items_added   integer        NOT NULL DEFAULT 0,
  lists_refused integer        NOT NULL DEFAULT 0,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL,
  finished_at   timestamptz(3),
  failed_reason text,
  PRIMARY KEY (shop_id, id)
);
-- One at a time.
CREATE UNIQUE INDEX wishlist_import_open ON wishlist_import (shop_id)
  WHERE status IN ('uploading', 'reading', 'ready', 'running');
CREATE INDEX wishlist_import_newest ON wishlist_import (shop_id, created_at DESC);

-- The file as it came, until it has been read.
CREATE TABLE import_part (
  shop_id   integer NOT NULL,
  import_id text    NOT NULL,
  -- of its first byte in the file
  at_byte   bigint  NOT NULL,
  bytes     bytea   NOT NULL,
  PRIMARY KEY (shop_id, import_id, at_byte),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE import_item (
  shop_id    integer        NOT NULL,
  import_id  text           NOT NULL,
  owner_kind text           NOT NULL,
  owner_id   text           NOT NULL,
  product_id text           NOT NULL,
  variant_id text           NOT NULL,
  added_at   timestamptz(3) NOT NULL,
  line       integer        NOT NULL,
  PRIMARY KEY (shop_id, import_id, owner_kind, owner_id, product_id, variant_id),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- The report. It names lines, and nobody.
CREATE TABLE import_problem (
  shop_id   integer NOT NULL,
  import_id text    NOT NULL,
  line      integer NOT NULL,
  field     text    NOT NULL,
  problem   text    NOT NULL,
  PRIMARY KEY (shop_id, import_id, line, field),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Changes to wishlists, continued (the rules of the first migrations hold).

-- Imports the next p_lists lists of a file, and notes in the same transaction how far it has come: whoever goes on does nothing twice. A
-- list that would outgrow the shop's cap, or whose guest has logged in since, is left as it is. What is saved already keeps its row.
-- Lists of one kind at a time, in the order of their owners, customers' after guests' have been let go: whoever folds holds a guest's
-- list and waits for a customer's. running is false when there is nothing left to do, or nobody wants it done any more.
CREATE FUNCTION wishlist_import(
  p_shop_id integer, p_import_id text, p_lists integer, p_at timestamptz, OUT running boolean, OUT added_count integer
) LANGUAGE plpgsql AS $$
DECLARE
  f wishlist_import;
  s record;
  owners text[];
  taken text[];
  refused integer;
  looked_at integer;
  ids bigint[];
  g text;
BEGIN
  running := false;
  added_count := 0;
  SELECT * INTO f FROM wishlist_import WHERE shop_id = p_shop_id AND id = p_import_id AND status = 'running' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF f.last_kind = '' THEN
    f.last_kind := 'guest';
  END IF;

  SELECT array_agg(n.owner_id) INTO owners
    FROM (SELECT DISTINCT owner_id FROM import_item
           WHERE shop_id = p_shop_id AND import_id = p_import_id AND owner_kind = f.last_kind AND owner_id > f.last_owner
           ORDER BY owner_id LIMIT p_lists) AS n;
  IF owners IS NULL AND f.last_kind = 'guest' THEN
    UPDATE wishlist_import SET last_kind = 'customer', last_owner = '' WHERE shop_id = p_shop_id AND id = p_import_id;
    running := true;
    RETURN;
  END IF;
  IF owners IS NULL THEN
    UPDATE wishlist_import SET status = 'done', updated_at = p_at, finished_at = p_at
     WHERE shop_id = p_shop_id AND id = p_import_id;
    RETURN;
  END IF;

  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  taken := owners;
  IF f.last_kind = 'guest' THEN
    taken := '{}';
    FOREACH g IN ARRAY owners LOOP
      IF guest_turn(p_shop_id, g) IS NULL THEN
        taken := taken || g;
      END IF;
    END LOOP;
  END IF;

  -- A list that can't hold the file's items even if it is empty is not begun.
  INSERT INTO wishlist (shop_id, owner_kind, owner_id, created_at, updated_at)
  SELECT p_shop_id, f.last_kind, n.owner_id, p_at, p_at
    FROM (SELECT owner_id FROM import_item
           WHERE shop_id = p_shop_id AND import_id = p_import_id AND owner_kind = f.last_kind AND owner_id = ANY (taken)
           GROUP BY owner_id HAVING count(*) <= s.item_cap) AS n
   ORDER BY n.owner_id
      ON CONFLICT (shop_id, owner_kind, owner_id, handle) DO NOTHING;
  SELECT array_agg(l.id) INTO ids
    FROM (SELECT id FROM wishlist
           WHERE shop_id = p_shop_id AND owner_kind = f.last_kind AND owner_id = ANY (taken) AND handle = 'default'
           ORDER BY owner_id FOR NO KEY UPDATE) AS l;

  -- What each locked list would hold.
  SELECT array_agg(r.id) INTO ids
    FROM (SELECT w.id
            FROM wishlist w
            JOIN import_item i ON i.shop_id = p_shop_id AND i.import_id = p_import_id
                 AND i.owner_kind = w.owner_kind AND i.owner_id = w.owner_id
            LEFT JOIN wishlist_item k ON k.shop_id = p_shop_id AND k.wishlist_id = w.id
                 AND k.product_id = i.product_id AND k.variant_id = i.variant_id
           WHERE w.shop_id = p_shop_id AND w.id = ANY (ids)
           GROUP BY w.id, w.item_count
          HAVING w.item_count + count(*) FILTER (WHERE k.variant_id IS NULL) <= s.item_cap
              OR count(*) FILTER (WHERE k.variant_id IS NULL) = 0) AS r;
  refused := cardinality(owners) - coalesce(cardinality(ids), 0);

  WITH given AS MATERIALIZED (
    SELECT w.id, i.product_id, i.variant_id, least(i.added_at, p_at) AS added_at, i.line
      FROM wishlist w
      JOIN import_item i ON i.shop_id = p_shop_id AND i.import_id = p_import_id
           AND i.owner_kind = w.owner_kind AND i.owner_id = w.owner_id
     WHERE w.shop_id = p_shop_id AND w.id = ANY (ids)
  ), added AS (
    INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at)
    SELECT p_shop_id, id, product_id, variant_id, added_at FROM given ORDER BY id, added_at, line
        ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
    RETURNING wishlist_id, product_id, variant_id, seq
  ), grown AS (
    UPDATE wishlist w SET item_count = w.item_count + n.added, version = w.version + 1, updated_at = p_at
      FROM (SELECT wishlist_id, count(*)::integer AS added FROM added GROUP BY wishlist_id) AS n
     WHERE w.shop_id = p_shop_id AND w.id = n.wishlist_id
    RETURNING w.id, w.owner_kind, w.owner_id, w.version, w.item_count
  ), logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'added', 'import', n.owner_kind, n.owner_id, n.id, n.version, n.item_count,
           a.product_id, a.variant_id, p_at, s.today
      FROM added a JOIN grown n ON n.id = a.wishlist_id
     ORDER BY a.seq
    RETURNING 1
  )
  SELECT count(*) INTO added_count FROM logged;

  SELECT count(*) INTO looked_at FROM import_item
   WHERE shop_id = p_shop_id AND import_id = p_import_id AND owner_kind = f.last_kind AND owner_id = ANY (owners);
  UPDATE wishlist_import
     SET last_kind = f.last_kind, last_owner = owners[cardinality(owners)], items_done = items_done + looked_at,
         items_added = items_added + added_count, lists_refused = lists_refused + refused, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = p_import_id;
  running := true;
END $$;

-- Takes a customer who is to be forgotten out of what waits to be imported. What has not been read yet may name them anywhere: it goes as a whole.
CREATE FUNCTION import_forget(p_shop_id integer, p_customer_id text, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM wishlist_import WHERE shop_id = p_shop_id AND finished_at IS NULL FOR UPDATE;
  DELETE FROM import_item WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id;
  UPDATE wishlist_import SET status = 'failed', updated_at = p_at, finished_at = p_at,
         failed_reason = 'A customer was erased on request before the file was read, and may be in it. Export a new file without them.'
   WHERE shop_id = p_shop_id AND status IN ('uploading', 'reading');
  DELETE FROM import_part WHERE shop_id = p_shop_id;
END $$;
