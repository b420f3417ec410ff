-- Removes the details of items from the history of lists that are about to be deleted for good. What is left says which products were saved and removed,
-- for reports. Changes that webhooks still need keep theirs.
CREATE OR REPLACE FUNCTION history_clear_details(p_shop_id bigint, p_wishlist_ids bigint[]) RETURNS void LANGUAGE sql AS $$
  UPDATE activity SET data = NULL, before = NULL
   WHERE shop_id = p_shop_id AND wishlist_id = ANY (p_wishlist_ids) AND processed_at IS NOT NULL AND num_nonnulls(data, before) > 0;
$$;
