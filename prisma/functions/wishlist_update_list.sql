-- Renames a list, or changes its position among the owner's named lists; NULL leaves a value as it is. The default list is the first, whatever the
-- others' positions. p_name_key is the name as it is compared with others. outcome: updated | unchanged | name_taken | not_movable
CREATE OR REPLACE FUNCTION wishlist_update_list(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_name text, p_name_key text, p_position double precision,
  p_source text, p_at timestamptz, OUT outcome text
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  renamed boolean;
  moved boolean;
BEGIN
  -- The default list's lock keeps the other names as they are. A guest's default list is created by an item or a list only, which are limited.
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, p_list = 'default' AND p_owner_kind = 'customer' AND p_position IS NULL);
  IF p_list = 'default' AND p_position IS NOT NULL THEN
    outcome := 'not_movable';
    RETURN;
  END IF;
  IF p_list <> 'default' OR w.id IS NULL THEN
    w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false, p_list);
  END IF;
  IF w.id IS NULL THEN
    RAISE EXCEPTION 'the owner has no list %', p_list USING ERRCODE = 'WL003';
  END IF;
  outcome := 'unchanged';
  renamed := p_name IS NOT NULL AND p_name IS DISTINCT FROM w.name;
  moved := p_position IS NOT NULL AND p_position <> w.position;
  IF renamed AND wishlist_check_list(p_shop_id, p_owner_kind, p_owner_id, w.id, p_name_key, NULL) = 'name_taken' THEN
    outcome := 'name_taken';
  ELSIF renamed OR moved THEN
    outcome := 'updated';
    UPDATE wishlist SET name = coalesce(p_name, name), name_key = coalesce(p_name_key, name_key), position = coalesce(p_position, position)
     WHERE shop_id = p_shop_id AND id = w.id;
    PERFORM list_apply(p_shop_id, w.id, ARRAY[ROW(CASE WHEN renamed THEN 'list_renamed' ELSE 'list_moved' END, NULL, NULL, NULL, NULL,
                                                  jsonb_strip_nulls(jsonb_build_object('name', w.name, 'position', w.position)),
                                                  NULL)::item_change], p_source, p_at);
  END IF;
END $$;
