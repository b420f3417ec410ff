-- Returns what has to change in a list so that it is as it was after an earlier version: items to add or update, with their snapshot, and items to
-- remove. An item was then what its first later change found. Errors: WL008 for a version that the list never had, WL009 for one whose later changes
-- are not complete any more.
CREATE OR REPLACE FUNCTION wishlist_diff(p_shop_id bigint, p_wishlist_id bigint, p_version bigint)
RETURNS TABLE (act text, product_id text, variant_id text, snapshot jsonb) LANGUAGE plpgsql AS $$
DECLARE
  current_version bigint;
  is_kept boolean;
BEGIN
  SELECT version INTO current_version FROM wishlist WHERE shop_id = p_shop_id AND id = p_wishlist_id;
  current_version := coalesce(current_version, 0);
  IF p_version < 0 OR p_version > current_version THEN
    RAISE EXCEPTION 'the list has no version %', p_version USING ERRCODE = 'WL008';
  END IF;
  IF p_version = current_version THEN
    RETURN;
  END IF;
  -- Changes are deleted by age, the oldest first, so that the first one after the version is the one to look for. The removals of an erasure, a purge and a
  -- guest's merge have no snapshot, and history_trim cuts old ones.
  -- Other events have the version of the list at their time, and are kept longer than the change that made it.
  PERFORM 1 FROM activity a
    WHERE a.shop_id = p_shop_id AND a.wishlist_id = p_wishlist_id AND a.version = p_version + 1 AND a.kind NOT IN ('shared', 'carted', 'merged');
  is_kept := FOUND;
  PERFORM 1 FROM activity a
    WHERE a.shop_id = p_shop_id AND a.wishlist_id = p_wishlist_id AND a.version > p_version
      AND (a.kind = 'removed' AND a.before IS NULL OR a.before ? 'cut') LIMIT 1;
  IF FOUND OR NOT is_kept THEN
    RAISE EXCEPTION 'the history of the list begins after version %', p_version USING ERRCODE = 'WL009';
  END IF;
  RETURN QUERY
    SELECT CASE WHEN f.kind = 'added' THEN 'remove' WHEN i.seq IS NULL THEN 'add' ELSE 'update' END, f.product_id, f.variant_id, f.before
      FROM (SELECT DISTINCT ON (a.product_id, a.variant_id) a.product_id, a.variant_id, a.kind, a.before
              FROM activity a
             WHERE a.shop_id = p_shop_id AND a.wishlist_id = p_wishlist_id AND a.version > p_version AND a.kind IN ('added', 'removed', 'updated')
             ORDER BY a.product_id, a.variant_id, a.version, a.id) AS f
      LEFT JOIN wishlist_item i ON i.shop_id = p_shop_id AND i.wishlist_id = p_wishlist_id
                               AND i.product_id = f.product_id AND i.variant_id = f.variant_id
     WHERE (f.kind = 'added' AND i.seq IS NOT NULL)
        OR (f.kind <> 'added' AND (i.seq IS NULL
            OR item_row_snapshot(i) - 'cartedAt' IS DISTINCT FROM f.before - 'cartedAt'));
END $$;
