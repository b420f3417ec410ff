-- The keys that seal values at rest, and imports that can be undone.

-- Every key that a process has sealed with. A start compares this with ENCRYPTION_KEYS, so it need not look through the sealed values.
CREATE TABLE sealing_key (
  key_id text           PRIMARY KEY,
  since  timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO sealing_key (key_id)
SELECT DISTINCT split_part(v.sealed, '.', 1)
  FROM (SELECT token_sealed AS sealed FROM share_link
        UNION ALL SELECT secret_sealed FROM webhook_endpoint
        UNION ALL SELECT old_secret_sealed FROM webhook_endpoint
        UNION ALL SELECT answer_sealed FROM idempotent_answer
        UNION ALL SELECT subject_sealed FROM privacy_request
        UNION ALL SELECT record_sealed FROM privacy_request
        UNION ALL SELECT access_token FROM session
        UNION ALL SELECT refresh_token FROM session) AS v
 WHERE v.sealed LIKE '_%._%';

ALTER TABLE wishlist_import
  -- items whose product or variant the catalog does not have, as the dry run found, and whether the merchant leaves them out
  ADD COLUMN items_unknown integer NOT NULL DEFAULT 0,
  ADD COLUMN leave_unknown boolean NOT NULL DEFAULT false,
  ADD COLUMN items_undone  integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT wishlist_import_status_check,
  ADD CONSTRAINT wishlist_import_status_check
    CHECK (status IN ('uploading', 'reading', 'ready', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone'));
DROP INDEX wishlist_import_open;
-- One at a time.
CREATE UNIQUE INDEX wishlist_import_open ON wishlist_import (shop_id)
  WHERE status IN ('uploading', 'reading', 'ready', 'running', 'undoing');

-- What an import added, until it is undone or can be undone no more. seq tells the row from a later one of the same variant.
CREATE TABLE import_added (
  shop_id     integer        NOT NULL,
  import_id   text           NOT NULL,
  wishlist_id bigint         NOT NULL,
  seq         bigint         NOT NULL,
  product_id  text           NOT NULL,
  variant_id  text           NOT NULL,
  added_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, import_id, wishlist_id, seq),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- Imports the next p_lists lists of a file and records in the same transaction how far it has come, so that a resumed import repeats nothing.
-- A list that would outgrow the shop's cap, or whose guest has logged in since, is left as it is. An item that is saved already keeps its row.
-- Lists of guests come first, then lists of customers, each in the order of their owners: a merge holds a guest's list while it waits for the
-- customer's. What is added is also written to import_added, for import_undo. running is false when nothing is left to do or the import ended.
CREATE OR REPLACE FUNCTION wishlist_import(
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
    RETURNING wishlist_id, product_id, variant_id, added_at, seq
  ), remembered AS (
    INSERT INTO import_added (shop_id, import_id, wishlist_id, seq, product_id, variant_id, added_at)
    SELECT p_shop_id, p_import_id, wishlist_id, seq, product_id, variant_id, added_at FROM added
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

-- Removes what an import added from the next p_lists lists, except for items that have changed since: put into a cart, or removed and saved
-- again. Lists that are locked are skipped and come again, so that no merge deadlocks with an undo. Like an import, the removals concern no
-- report and no webhook. running is false when nothing is left to do.
CREATE FUNCTION import_undo(
  p_shop_id integer, p_import_id text, p_lists integer, p_at timestamptz, OUT running boolean, OUT removed_count integer
) LANGUAGE plpgsql AS $$
DECLARE
  chosen bigint[];
  ids bigint[];
BEGIN
  running := false;
  removed_count := 0;
  PERFORM 1 FROM wishlist_import WHERE shop_id = p_shop_id AND id = p_import_id AND status = 'undoing' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  SELECT array_agg(n.wishlist_id) INTO chosen
    FROM (SELECT DISTINCT wishlist_id FROM import_added
           WHERE shop_id = p_shop_id AND import_id = p_import_id ORDER BY wishlist_id LIMIT p_lists) AS n;
  IF chosen IS NULL THEN
    UPDATE wishlist_import SET status = 'undone', updated_at = p_at WHERE shop_id = p_shop_id AND id = p_import_id;
    RETURN;
  END IF;

  SELECT array_agg(l.id) INTO ids
    FROM (SELECT id FROM wishlist WHERE shop_id = p_shop_id AND id = ANY (chosen) FOR NO KEY UPDATE SKIP LOCKED) AS l;
  -- Lists that were deleted since have nothing left to remove.
  SELECT coalesce(ids, '{}') || coalesce(array_agg(c.id), '{}') INTO ids
    FROM unnest(chosen) AS c (id)
   WHERE NOT EXISTS (SELECT 1 FROM wishlist w WHERE w.shop_id = p_shop_id AND w.id = c.id);
  IF cardinality(ids) = 0 THEN
    -- Waiting for one list while holding no other can't deadlock.
    PERFORM 1 FROM wishlist WHERE shop_id = p_shop_id AND id = chosen[1] FOR NO KEY UPDATE;
    ids := chosen[1:1];
  END IF;

  WITH taken AS (
    DELETE FROM import_added WHERE shop_id = p_shop_id AND import_id = p_import_id AND wishlist_id = ANY (ids)
    RETURNING wishlist_id, product_id, variant_id, added_at, seq
  ), removed AS (
    DELETE FROM wishlist_item i USING taken t
     WHERE i.shop_id = p_shop_id AND i.wishlist_id = t.wishlist_id AND i.product_id = t.product_id
       AND i.variant_id = t.variant_id AND i.seq = t.seq AND i.added_at = t.added_at AND i.carted_at IS NULL
    RETURNING i.wishlist_id, i.product_id, i.variant_id
  ), shrunk AS (
    UPDATE wishlist w SET item_count = w.item_count - n.removed, version = w.version + 1, updated_at = p_at
      FROM (SELECT wishlist_id, count(*)::integer AS removed FROM removed GROUP BY wishlist_id) AS n
     WHERE w.shop_id = p_shop_id AND w.id = n.wishlist_id
    RETURNING w.id, w.owner_kind, w.owner_id, w.version, w.item_count
  ), logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'removed', 'import', l.owner_kind, l.owner_id, l.id, l.version, l.item_count,
           r.product_id, r.variant_id, p_at, (p_at AT TIME ZONE s.time_zone)::date
      FROM removed r
      JOIN shrunk l ON l.id = r.wishlist_id
      JOIN shop s ON s.id = p_shop_id
    RETURNING 1
  )
  SELECT count(*) INTO removed_count FROM logged;

  UPDATE wishlist_import SET items_undone = items_undone + removed_count, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = p_import_id;
  running := true;
END $$;
