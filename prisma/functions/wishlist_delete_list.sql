-- Deletes a named list with its items and its share link. The row stays, marked, until its history has expired: a restore takes the deletion back.
CREATE OR REPLACE FUNCTION wishlist_delete_list(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_source text, p_at timestamptz,
  OUT removed_count integer, OUT version_after bigint
) LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
BEGIN
  PERFORM wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false, p_list);
  version_after := w.version + 1;
  removed_count := item_remove(p_shop_id, w.id, version_after, 0, NULL, NULL, p_source, p_at);
  UPDATE share_link SET revoked_at = p_at WHERE shop_id = p_shop_id AND wishlist_id = w.id AND revoked_at IS NULL;
  UPDATE wishlist SET item_count = 0, version = version_after, updated_at = p_at, deleted_at = p_at
   WHERE shop_id = p_shop_id AND id = w.id;
  PERFORM wishlist_log_list(p_shop_id, w.id, 'list_deleted', p_source, p_at, NULL);
END $$;
