-- Removes what an import added from the next p_lists lists, except items that have changed since: put into a cart, or removed and saved again. A list
-- that the import created and that is empty then is deleted, as by wishlist_delete_list.
-- Locked lists are skipped and tried again, so that no merge deadlocks with an undo. Like an import, the removals affect no report and no
-- webhook. running is false when nothing is left to do.
CREATE OR REPLACE FUNCTION import_undo_batch(
  p_shop_id bigint, p_import_id text, p_lists integer, p_at timestamptz, OUT running boolean, OUT removed_count integer
) LANGUAGE plpgsql AS $$
DECLARE
  chosen bigint[];
  ids bigint[];
  emptied bigint[];
  n bigint;
  list record;
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

  -- The lists that the import created, of those whose items go now.
  SELECT array_agg(DISTINCT wishlist_id) INTO emptied FROM import_added
   WHERE shop_id = p_shop_id AND import_id = p_import_id AND wishlist_id = ANY (ids) AND list_created;
  FOR list IN WITH taken AS (
    DELETE FROM import_added WHERE shop_id = p_shop_id AND import_id = p_import_id AND wishlist_id = ANY (ids)
    RETURNING wishlist_id, product_id, variant_id, added_at, seq
  ), removed AS (
    DELETE FROM wishlist_item i USING taken t
     WHERE i.shop_id = p_shop_id AND i.wishlist_id = t.wishlist_id AND i.product_id = t.product_id
       AND i.variant_id = t.variant_id AND i.seq = t.seq AND i.added_at = t.added_at AND i.carted_at IS NULL
    RETURNING i.wishlist_id, i.product_id, i.variant_id, i.seq, item_row_snapshot(i) AS snapshot
  )
  SELECT wishlist_id, array_agg(ROW('removed', product_id, variant_id, NULL, NULL, snapshot, NULL)::item_change ORDER BY seq) AS changes
    FROM removed GROUP BY wishlist_id ORDER BY wishlist_id
  LOOP
    PERFORM list_apply(p_shop_id, list.wishlist_id, list.changes, 'import', p_at);
    removed_count := removed_count + cardinality(list.changes);
  END LOOP;

  SELECT array_agg(id) INTO emptied FROM wishlist
   WHERE shop_id = p_shop_id AND id = ANY (emptied) AND item_count = 0 AND deleted_at IS NULL;
  UPDATE share_link SET revoked_at = p_at WHERE shop_id = p_shop_id AND wishlist_id = ANY (emptied) AND revoked_at IS NULL;
  UPDATE wishlist SET deleted_at = p_at WHERE shop_id = p_shop_id AND id = ANY (emptied);
  FOREACH n IN ARRAY coalesce(emptied, '{}') LOOP
    PERFORM list_apply(p_shop_id, n, ARRAY[ROW('list_deleted', NULL, NULL, NULL, NULL, NULL, NULL)::item_change], 'import', p_at);
  END LOOP;

  UPDATE wishlist_import SET items_undone = items_undone + removed_count, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = p_import_id;
  running := true;
END $$;
