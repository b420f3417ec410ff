-- Returns the public id of a new list: p_wanted, or a random one when it is NULL or the id of another list of the owner, deleted lists included.
CREATE OR REPLACE FUNCTION wishlist_new_handle(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_wanted text
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM wishlist WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id AND handle = p_wanted;
  IF FOUND OR p_wanted IS NULL THEN
    RETURN 'lst_' || replace(gen_random_uuid()::text, '-', '');
  END IF;
  RETURN p_wanted;
END $$;
