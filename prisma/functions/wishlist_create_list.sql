-- Creates a named list after the owner's other lists. p_list is its new public id, p_name_key the name as it is compared with others. The owner gets a
-- default list if there is none; a guest without one counts as a new guest (wishlist_lock).
-- outcome: created | name_taken | too_many (p_limit lists, the default list included)
CREATE OR REPLACE FUNCTION wishlist_create_list(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_name text, p_name_key text, p_limit integer,
  p_source text, p_at timestamptz, p_guest_limit integer DEFAULT NULL, p_guest_origins text[] DEFAULT '{}',
  OUT outcome text, OUT list_position double precision
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  created_id bigint;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, true, p_guest_limit => p_guest_limit, p_guest_origins => p_guest_origins);
  outcome := wishlist_check_list(p_shop_id, p_owner_kind, p_owner_id, NULL, p_name_key, p_limit);
  IF outcome <> 'free' THEN
    RETURN;
  END IF;

  outcome := 'created';
  SELECT floor(max(position)) + 1 INTO list_position FROM wishlist
   WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id AND deleted_at IS NULL;
  INSERT INTO wishlist (shop_id, owner_kind, owner_id, handle, name, name_key, position, created_at, updated_at)
  VALUES (p_shop_id, p_owner_kind, p_owner_id, p_list, p_name, p_name_key, list_position, p_at, p_at)
  RETURNING id INTO created_id;
  PERFORM list_apply(p_shop_id, created_id, ARRAY[ROW('list_created', NULL, NULL, NULL, NULL, NULL, NULL)::item_change], p_source, p_at);
END $$;
