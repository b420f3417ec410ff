-- Creates the named lists that a file has and that do not exist, of owners whose default lists are locked: in the order of the file, after the owner's
-- other lists. A list that even an empty list can't hold, or that would be more than p_limit lists of its owner, is not created. A new list gets the id
-- that the file has for it, unless a list of the owner has this id. Written to import_added, for import_undo_batch. Returns how many were created.
CREATE OR REPLACE FUNCTION import_create_lists(
  p_shop_id bigint, p_import_id text, p_owner_kind text, p_owner_ids text[], p_limit integer, p_at timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  most_items integer;
  owners text[];
  keys text[];
  names text[];
  handles text[];
  lists integer;
  last_position double precision;
  created_id bigint;
  created integer := 0;
BEGIN
  SELECT item_cap INTO STRICT most_items FROM shop WHERE id = p_shop_id;
  SELECT array_agg(m.owner_id ORDER BY m.owner_id, m.line), array_agg(m.list_key ORDER BY m.owner_id, m.line),
         array_agg(m.name ORDER BY m.owner_id, m.line), array_agg(m.handle ORDER BY m.owner_id, m.line)
    INTO owners, keys, names, handles
    FROM (SELECT e.owner_id, e.list_key, min(e.line) AS line, (array_agg(e.list_name ORDER BY e.line))[1] AS name,
                 (array_agg(e.list_id ORDER BY e.line))[1] AS handle
            FROM import_entry e
           WHERE e.shop_id = p_shop_id AND e.import_id = p_import_id AND e.owner_kind = p_owner_kind AND e.owner_id = ANY (p_owner_ids)
             AND e.list_key <> ''
             AND NOT EXISTS (SELECT 1 FROM wishlist w
                              WHERE w.shop_id = p_shop_id AND w.owner_kind = p_owner_kind AND w.owner_id = e.owner_id
                                AND w.name_key = e.list_key AND w.deleted_at IS NULL)
           GROUP BY e.owner_id, e.list_key
          HAVING count(*) FILTER (WHERE e.product_id <> '') <= most_items) AS m;
  FOR n IN 1 .. coalesce(cardinality(keys), 0) LOOP
    SELECT count(*), max(position) INTO lists, last_position FROM wishlist
     WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = owners[n] AND deleted_at IS NULL;
    CONTINUE WHEN lists >= p_limit;
    handles[n] := wishlist_new_handle(p_shop_id, p_owner_kind, owners[n], handles[n]);
    INSERT INTO wishlist (shop_id, owner_kind, owner_id, handle, name, name_key, position, created_at, updated_at)
    VALUES (p_shop_id, p_owner_kind, owners[n], handles[n], names[n], keys[n], floor(last_position) + 1, p_at, p_at)
    RETURNING id INTO created_id;
    PERFORM list_apply(p_shop_id, created_id, ARRAY[ROW('list_created', NULL, NULL, NULL, NULL, NULL, NULL)::item_change], 'import', p_at);
    INSERT INTO import_added (shop_id, import_id, wishlist_id, seq, product_id, variant_id, added_at, list_created)
    VALUES (p_shop_id, p_import_id, created_id, 0, '', '', p_at, true);
    created := created + 1;
  END LOOP;
  RETURN created;
END $$;
