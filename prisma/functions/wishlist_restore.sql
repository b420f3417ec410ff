-- Brings the items of a list back to what they were after an earlier version, as a change of its own; a deleted list exists again. Errors: WL001 for
-- too many items, those of wishlist_diff, WL003 for a named list that never existed, and for a deleted list WL004 when another has its name now and WL005
-- when the owner has p_limit lists; WL011 when the list has another version than p_expected, which the caller has seen. A default list in which nothing
-- was ever saved has version 0.
CREATE OR REPLACE FUNCTION wishlist_restore(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_version bigint, p_limit integer, p_source text, p_at timestamptz,
  p_expected bigint DEFAULT NULL, OUT added_count integer, OUT removed_count integer, OUT updated_count integer, OUT count_after integer, OUT version_after bigint
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  steps text[];
  products text[];
  variants text[];
  snapshots jsonb[];
  kept_products text[];
  kept_variants text[];
  changes item_change[];
  was_deleted boolean;
  verdict text;
BEGIN
  PERFORM wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  SELECT * INTO w FROM wishlist
   WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id AND handle = p_list FOR NO KEY UPDATE;
  IF NOT FOUND AND p_list <> 'default' THEN
    RAISE EXCEPTION 'the owner has no list %', p_list USING ERRCODE = 'WL003';
  END IF;
  IF w.version <> p_expected THEN
    RAISE EXCEPTION 'the list has changed since version %', p_expected USING ERRCODE = 'WL011';
  END IF;
  was_deleted := w.deleted_at IS NOT NULL;
  IF was_deleted THEN
    verdict := wishlist_check_list(p_shop_id, p_owner_kind, p_owner_id, w.id, w.name_key, p_limit);
    IF verdict = 'name_taken' THEN
      RAISE EXCEPTION 'another list has the name' USING ERRCODE = 'WL004';
    ELSIF verdict = 'too_many' THEN
      RAISE EXCEPTION 'the owner has % lists', p_limit USING ERRCODE = 'WL005';
    END IF;
  END IF;

  SELECT array_agg(d.act ORDER BY d.ordinal), array_agg(d.product_id ORDER BY d.ordinal), array_agg(d.variant_id ORDER BY d.ordinal),
         array_agg(d.snapshot ORDER BY d.ordinal), count(*) FILTER (WHERE d.act = 'add'), count(*) FILTER (WHERE d.act = 'remove'),
         count(*) FILTER (WHERE d.act = 'update')
    INTO steps, products, variants, snapshots, added_count, removed_count, updated_count
    FROM (SELECT r.*, row_number() OVER (ORDER BY r.act DESC, (r.snapshot ->> 'seq')::bigint, r.product_id, r.variant_id) AS ordinal
            FROM wishlist_diff(p_shop_id, w.id, p_version) AS r) AS d;
  count_after := coalesce(w.item_count, 0) + added_count - removed_count;
  version_after := coalesce(w.version, 0);
  IF steps IS NULL AND NOT was_deleted THEN
    RETURN;
  END IF;
  version_after := w.version + 1;

  SELECT array_agg(ROW(CASE d.act WHEN 'add' THEN 'added' WHEN 'remove' THEN 'removed' ELSE 'updated' END, d.product_id, d.variant_id,
                       CASE WHEN d.act <> 'remove' THEN (d.snapshot ->> 'seq')::bigint END,
                       CASE WHEN d.act <> 'remove' THEN d.snapshot - ARRAY['seq', 'savedOn', 'cartedAt', 'savedPrice'] END,
                       CASE WHEN i.seq IS NOT NULL THEN item_row_snapshot(i) END, NULL)::item_change ORDER BY d.ordinal)
    INTO changes
    FROM unnest(steps, products, variants, snapshots) WITH ORDINALITY AS d (act, product_id, variant_id, snapshot, ordinal)
    LEFT JOIN wishlist_item i ON i.shop_id = p_shop_id AND i.wishlist_id = w.id AND i.product_id = d.product_id AND i.variant_id = d.variant_id;
  -- A save that was put into the cart stays so: after the version in question, and in any list of the owner to which it was moved.
  WITH known AS (
    SELECT i.seq, i.carted_at
      FROM wishlist o JOIN wishlist_item i ON i.shop_id = p_shop_id AND i.wishlist_id = o.id
     WHERE o.shop_id = p_shop_id AND o.owner_kind = p_owner_kind AND o.owner_id = p_owner_id AND i.carted_at IS NOT NULL
    UNION ALL
    SELECT (a.before ->> 'seq')::bigint, to_timestamp((a.before ->> 'cartedAt')::bigint / 1000.0)
      FROM wishlist o JOIN activity a ON a.shop_id = p_shop_id AND a.wishlist_id = o.id
     WHERE o.shop_id = p_shop_id AND o.owner_kind = p_owner_kind AND o.owner_id = p_owner_id AND a.before ? 'cartedAt'
  ), first AS (
    SELECT seq, min(carted_at) AS carted_at FROM known GROUP BY seq
  )
  SELECT array_agg(d.product_id ORDER BY d.ordinal), array_agg(d.variant_id ORDER BY d.ordinal),
         array_agg((d.snapshot - 'cartedAt') || jsonb_strip_nulls(jsonb_build_object('cartedAt', (date_part('epoch', c.carted_at) * 1000)::bigint))
                   ORDER BY d.ordinal)
    INTO kept_products, kept_variants, snapshots
    FROM unnest(steps, products, variants, snapshots) WITH ORDINALITY AS d (act, product_id, variant_id, snapshot, ordinal)
    LEFT JOIN first c ON c.seq = (d.snapshot ->> 'seq')::bigint
   WHERE d.act <> 'remove';
  -- An item that differs is replaced, because its time and place in the order can differ, too.
  DELETE FROM wishlist_item i USING unnest(products, variants) AS d (product_id, variant_id)
   WHERE i.shop_id = p_shop_id AND i.wishlist_id = w.id AND i.product_id = d.product_id AND i.variant_id = d.variant_id;
  PERFORM list_insert_items(p_shop_id, w.id, kept_products, kept_variants, snapshots, NULL, p_at);
  IF was_deleted THEN
    UPDATE wishlist SET deleted_at = NULL WHERE shop_id = p_shop_id AND id = w.id;
    changes := ROW('list_created', NULL, NULL, NULL, NULL, NULL, NULL)::item_change || changes;
  END IF;
  PERFORM list_apply(p_shop_id, w.id, changes, p_source, p_at);
END $$;
