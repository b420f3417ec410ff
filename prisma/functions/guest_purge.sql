-- Deletes, of the next p_limit guests after p_after, those none of whose lists was used since p_before. A guest with a list that another transaction has
-- locked is skipped until the next run. next_after is where to continue, NULL at the end, so that a run reads the index of owners once.
CREATE OR REPLACE FUNCTION guest_purge(
  p_shop_id bigint, p_before timestamptz, p_after text, p_limit integer, p_at timestamptz, OUT purged_count integer, OUT next_after text
) LANGUAGE plpgsql AS $$
DECLARE
  candidates text[];
  idle bigint[];
  list record;
BEGIN
  SELECT array_agg(n.owner_id), max(n.owner_id) INTO candidates, next_after
    FROM (SELECT owner_id FROM wishlist
           WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND handle = 'default' AND owner_id > p_after
           ORDER BY owner_id LIMIT p_limit) AS n;
  SELECT array_agg(l.id) INTO idle
    FROM (SELECT id FROM wishlist
           WHERE shop_id = p_shop_id AND owner_kind = 'guest' AND owner_id = ANY (candidates) AND updated_at < p_before
             FOR UPDATE SKIP LOCKED) AS l;
  -- Keeps the guests all of whose lists are idle and locked.
  SELECT array_agg(w.id) INTO idle
    FROM wishlist w
   WHERE w.shop_id = p_shop_id AND w.id = ANY (idle)
     AND NOT EXISTS (SELECT 1 FROM wishlist o
                      WHERE o.shop_id = p_shop_id AND o.owner_kind = 'guest' AND o.owner_id = w.owner_id AND o.id <> ALL (idle));
  SELECT count(*) FILTER (WHERE handle = 'default') INTO purged_count FROM wishlist WHERE shop_id = p_shop_id AND id = ANY (idle);
  IF purged_count = 0 THEN
    RETURN;
  END IF;

  FOR list IN
    SELECT wishlist_id, array_agg(ROW('removed', product_id, variant_id, NULL, NULL, NULL, NULL)::item_change ORDER BY seq) AS changes
      FROM wishlist_item WHERE shop_id = p_shop_id AND wishlist_id = ANY (idle) GROUP BY wishlist_id ORDER BY wishlist_id
  LOOP
    PERFORM list_apply(p_shop_id, list.wishlist_id, list.changes, 'purge', p_at);
  END LOOP;
  PERFORM history_clear_details(p_shop_id, idle);
  DELETE FROM cart_event WHERE shop_id = p_shop_id AND wishlist_id = ANY (idle);
  DELETE FROM idempotent_response
   WHERE shop_id = p_shop_id AND owner_kind = 'guest'
     AND owner_id = ANY (ARRAY(SELECT w.owner_id FROM wishlist w WHERE w.shop_id = p_shop_id AND w.id = ANY (idle)));
  DELETE FROM wishlist WHERE shop_id = p_shop_id AND id = ANY (idle);
END $$;
