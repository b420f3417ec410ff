-- Returns whether an owner, whose default list is locked, can have one more list of a name: free | name_taken | too_many. p_except is a list that does
-- not count.
CREATE OR REPLACE FUNCTION wishlist_check_list(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_except bigint, p_name_key text, p_limit integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  lists integer;
  same_name integer;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE name_key = p_name_key AND id IS DISTINCT FROM p_except) INTO lists, same_name FROM wishlist
   WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id AND deleted_at IS NULL;
  RETURN CASE WHEN same_name > 0 THEN 'name_taken' WHEN lists >= p_limit THEN 'too_many' ELSE 'free' END;
END $$;
