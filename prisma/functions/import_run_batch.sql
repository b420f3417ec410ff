-- Imports the lists of the next p_owners owners of a file and records the progress in the same transaction, so that a resumed import repeats nothing. A
-- list that would exceed the shop's item cap, that can't be created (import_create_lists), or whose guest has logged in since, stays unchanged. An item
-- that is saved already keeps its row. Guests come first, then customers, each in the order of their ids: a merge holds a guest's list while it waits for
-- the customer's. A row of import_entry without a product stands for a list without items. Added items are also written to import_added, for import_undo_batch. running is false when nothing is left to do or the import has
-- ended.
CREATE OR REPLACE FUNCTION import_run_batch(
  p_shop_id bigint, p_import_id text, p_owners integer, p_at timestamptz, p_list_limit integer, OUT running boolean, OUT added_count integer
) LANGUAGE plpgsql AS $$
DECLARE
  f wishlist_import;
  most_items integer;
  list record;
  owners text[];
  accepted text[];
  created integer;
  total integer;
  kept integer;
  processed integer;
  ids bigint[];
  g text;
  last_imported text;
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
    FROM (SELECT DISTINCT owner_id FROM import_entry
           WHERE shop_id = p_shop_id AND import_id = p_import_id AND owner_kind = f.last_kind AND owner_id > f.last_owner
           ORDER BY owner_id LIMIT p_owners) AS n;
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

  SELECT item_cap INTO STRICT most_items FROM shop WHERE id = p_shop_id;
  accepted := owners;
  IF f.last_kind = 'guest' THEN
    accepted := '{}';
    FOREACH g IN ARRAY owners LOOP
      IF guest_lock(p_shop_id, g) IS NULL THEN
        accepted := accepted || g;
      END IF;
    END LOOP;
  END IF;

  -- Create no default list for an owner whose lists in the file even an empty list can't hold. A new default list has the file's name for it.
  INSERT INTO wishlist (shop_id, owner_kind, owner_id, name, name_key, created_at, updated_at)
  SELECT p_shop_id, f.last_kind, n.owner_id, n.name, n.name_key, p_at, p_at
    FROM (SELECT l.owner_id, max(l.named[1]) AS name, max(l.named[2]) AS name_key
            FROM (SELECT owner_id, min(ARRAY[list_name, name_key]) FILTER (WHERE list_key = '' AND list_name IS NOT NULL) AS named
                    FROM import_entry
                   WHERE shop_id = p_shop_id AND import_id = p_import_id AND owner_kind = f.last_kind AND owner_id = ANY (accepted)
                   GROUP BY owner_id, list_key HAVING count(*) FILTER (WHERE product_id <> '') <= most_items) AS l
           GROUP BY l.owner_id) AS n
   ORDER BY n.owner_id
      ON CONFLICT (shop_id, owner_kind, owner_id, handle) DO NOTHING;
  PERFORM 1 FROM wishlist
    WHERE shop_id = p_shop_id AND owner_kind = f.last_kind AND owner_id = ANY (accepted) AND handle = 'default'
    ORDER BY owner_id FOR NO KEY UPDATE;
  -- Whoever has the locks of the default lists decides about the other lists: their names stay as they are.
  created := import_create_lists(p_shop_id, p_import_id, f.last_kind, accepted, p_list_limit, p_at);
  PERFORM 1 FROM wishlist w
    WHERE w.shop_id = p_shop_id AND w.owner_kind = f.last_kind AND w.owner_id = ANY (accepted) AND w.handle <> 'default' AND w.deleted_at IS NULL
      AND w.name_key IN (SELECT e.list_key FROM import_entry e
                          WHERE e.shop_id = p_shop_id AND e.import_id = p_import_id AND e.owner_kind = f.last_kind AND e.owner_id = ANY (accepted))
    ORDER BY w.owner_id, w.id FOR NO KEY UPDATE;

  -- Keep the locked lists that stay within the cap.
  SELECT array_agg(r.id), coalesce(sum(r.keys), 0) INTO ids, kept
    FROM (SELECT w.id, count(DISTINCT i.list_key) AS keys
            FROM import_entry i
            JOIN wishlist w ON w.shop_id = p_shop_id AND w.owner_kind = i.owner_kind AND w.owner_id = i.owner_id AND w.deleted_at IS NULL
                 AND ((i.list_key = '' AND w.handle = 'default') OR w.name_key = i.list_key)
            LEFT JOIN wishlist_item k ON k.shop_id = p_shop_id AND k.wishlist_id = w.id
                 AND k.product_id = i.product_id AND k.variant_id = i.variant_id
           WHERE i.shop_id = p_shop_id AND i.import_id = p_import_id AND i.owner_kind = f.last_kind AND i.owner_id = ANY (accepted)
           GROUP BY w.id, w.item_count
          HAVING w.item_count + count(*) FILTER (WHERE k.variant_id IS NULL AND i.product_id <> '') <= most_items
              OR count(*) FILTER (WHERE k.variant_id IS NULL AND i.product_id <> '') = 0) AS r;

  FOR list IN WITH given AS MATERIALIZED (
    SELECT w.id, i.product_id, i.variant_id, least(i.added_at, p_at) AS added_at, i.line, i.quantity, i.note, i.properties, i.position,
           i.saved_price
      FROM import_entry i
      JOIN wishlist w ON w.shop_id = p_shop_id AND w.owner_kind = i.owner_kind AND w.owner_id = i.owner_id AND w.deleted_at IS NULL
           AND ((i.list_key = '' AND w.handle = 'default') OR w.name_key = i.list_key)
     WHERE i.shop_id = p_shop_id AND i.import_id = p_import_id AND i.owner_kind = f.last_kind AND i.owner_id = ANY (accepted)
       AND i.product_id <> '' AND w.id = ANY (ids)
  ), added AS (
    INSERT INTO wishlist_item AS i (shop_id, wishlist_id, product_id, variant_id, added_at, quantity, note, properties, position, saved_price)
    SELECT p_shop_id, id, product_id, variant_id, added_at, quantity, note, properties, position, saved_price FROM given ORDER BY id, added_at, line
        ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
    RETURNING wishlist_id, product_id, variant_id, added_at, seq, item_row_snapshot(i) AS snapshot
  ), undoable AS (
    INSERT INTO import_added (shop_id, import_id, wishlist_id, seq, product_id, variant_id, added_at)
    SELECT p_shop_id, p_import_id, wishlist_id, seq, product_id, variant_id, added_at FROM added
  )
  SELECT wishlist_id, array_agg(ROW('added', product_id, variant_id, seq, item_snapshot_data(snapshot, p_at), NULL, NULL)::item_change ORDER BY seq) AS changes
    FROM added GROUP BY wishlist_id ORDER BY wishlist_id
  LOOP
    PERFORM list_apply(p_shop_id, list.wishlist_id, list.changes, 'import', p_at);
    added_count := added_count + cardinality(list.changes);
  END LOOP;

  SELECT count(*) FILTER (WHERE product_id <> ''), count(DISTINCT (owner_id, list_key)) INTO processed, total FROM import_entry
   WHERE shop_id = p_shop_id AND import_id = p_import_id AND owner_kind = f.last_kind AND owner_id = ANY (owners);
  -- Not within the UPDATE, where an element of an array crashes Citus.
  last_imported := owners[cardinality(owners)];
  UPDATE wishlist_import
     SET last_kind = f.last_kind, last_owner = last_imported, items_done = items_done + processed,
         items_added = items_added + added_count, lists_refused = lists_refused + total - kept,
         lists_created = lists_created + created, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = p_import_id;
  running := true;
END $$;
