-- Deletes a named list with its items and its share link. The row stays, marked, until its history has expired: a restore takes the deletion back.
CREATE OR REPLACE FUNCTION wishlist_delete_list(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_source text, p_at timestamptz,
  OUT removed_count integer, OUT version_after bigint
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
  removed item_change[];
BEGIN
  PERFORM wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false, p_list);
  version_after := w.version + 1;
  removed := list_remove_items(p_shop_id, w.id, NULL, NULL);
  removed_count := coalesce(cardinality(removed), 0);
  UPDATE share_link SET revoked_at = p_at WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL;
  UPDATE wishlist SET deleted_at = p_at WHERE shop_id = p_shop_id AND id = w.id;
  PERFORM list_apply(p_shop_id, w.id, removed || ROW('list_deleted', NULL, NULL, NULL, NULL, NULL, NULL)::item_change, p_source, p_at);
END $$;
