-- Returns a list of an owner, locked until the end of the transaction. Without a default list, p_create creates one; otherwise the result is a row of
-- NULLs. A named list that does not exist: error WL003. A guest whose list was merged into a customer's has none and gets none: error WL002. With
-- p_guest_limit, a guest whose list is created counts as a new guest (guest_admit).
--
-- The functions in this folder are the only writers of wishlist, wishlist_item, share_link, cart_event, activity and the rollups (retention aside).
-- Each locks the wishlist's row first and reads the rest afterwards: under READ COMMITTED every statement sees what was committed before it
-- began, so the holder of the lock sees all earlier changes. Locks are taken in this order: the guest (guest_lock), the guest's lists, the
-- customer's lists. A function that locks several lists of an owner locks the default list first, so that two of them never wait for each other. The
-- default list's lock also guards the number, names and order of the owner's lists.
CREATE OR REPLACE FUNCTION wishlist_lock(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_at timestamptz, p_create boolean, p_list text DEFAULT 'default',
  p_guest_limit integer DEFAULT NULL, p_guest_origins text[] DEFAULT '{}'
) RETURNS wishlist LANGUAGE plpgsql AS $$
DECLARE
  w wishlist;
BEGIN
  IF p_owner_kind = 'guest' AND guest_lock(p_shop_id, p_owner_id) IS NOT NULL THEN
    RAISE EXCEPTION 'the guest''s list was merged into a customer''s' USING ERRCODE = 'WL002';
  END IF;
  LOOP
    SELECT * INTO w FROM wishlist
     WHERE shop_id = p_shop_id AND owner_kind = p_owner_kind AND owner_id = p_owner_id AND handle = p_list AND deleted_at IS NULL
       FOR NO KEY UPDATE;
    IF NOT FOUND AND p_list <> 'default' THEN
      RAISE EXCEPTION 'the owner has no list %', p_list USING ERRCODE = 'WL003';
    END IF;
    IF FOUND OR NOT p_create THEN
      -- Seldom, because it reads the list's last changes.
      IF w.has_details AND w.version % 4 = 0 THEN
        PERFORM history_trim(p_shop_id, w.id);
      END IF;
      RETURN w;
    END IF;
    -- When another transaction inserts the same row, this waits for it and inserts nothing, and the loop locks that row.
    INSERT INTO wishlist (shop_id, owner_kind, owner_id, created_at, updated_at)
    VALUES (p_shop_id, p_owner_kind, p_owner_id, p_at, p_at)
        ON CONFLICT (shop_id, owner_kind, owner_id, handle) DO NOTHING;
    IF FOUND AND p_owner_kind = 'guest' AND p_guest_limit IS NOT NULL THEN
      PERFORM guest_admit(p_shop_id, p_guest_limit, p_at, p_guest_origins);
    END IF;
  END LOOP;
END $$;
