-- Removes a customer who is being erased from unfinished imports. A file that has not been read yet may name the customer anywhere, so it is
-- deleted as a whole.
CREATE OR REPLACE FUNCTION import_purge_customer(p_shop_id bigint, p_customer_id text, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM wishlist_import WHERE shop_id = p_shop_id AND finished_at IS NULL FOR UPDATE;
  DELETE FROM import_entry WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id;
  UPDATE wishlist_import SET status = 'failed', updated_at = p_at, finished_at = p_at,
         failed_reason = 'A customer was erased on request before the file was read, and may be in it. Export a new file without them.'
   WHERE shop_id = p_shop_id AND status IN ('uploading', 'reading');
  DELETE FROM import_part WHERE shop_id = p_shop_id;
END $$;
