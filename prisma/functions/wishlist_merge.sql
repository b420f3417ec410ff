-- Merges items (three arrays of equal length) into a wishlist, all or nothing. Of duplicates the earliest time counts, a future time counts as now,
-- and an item that is saved already keeps its row. Exceeding the shop's item cap raises WL001 and changes nothing.
CREATE OR REPLACE FUNCTION wishlist_merge(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_ids text[], p_variant_ids text[],
  p_added_at timestamptz[], p_source text, p_at timestamptz, OUT added_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
BEGIN
  -- An empty merge creates no wishlist.
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, cardinality(p_product_ids) > 0);
  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  added_count := 0;
  count_after := coalesce(w.item_count, 0);
  IF w.id IS NULL THEN
    RETURN;
  END IF;

  WITH given AS (
    SELECT product_id, variant_id, least(min(added_at), p_at) AS added_at, min(place) AS place
      FROM unnest(p_product_ids, p_variant_ids, p_added_at) WITH ORDINALITY
           AS g (product_id, variant_id, added_at, place)
     GROUP BY product_id, variant_id
  ), added AS (
    INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on)
    SELECT p_shop_id, w.id, product_id, variant_id, added_at, CASE WHEN p_source <> 'import' THEN s.today END
      FROM given
     ORDER BY added_at, place
        ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
    RETURNING product_id, variant_id, seq
  ), logged AS (
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                          product_id, variant_id, at, day)
    SELECT p_shop_id, 'added', p_source, p_owner_kind, p_owner_id, w.id, w.version + 1,
           w.item_count + (count(*) OVER ())::integer, product_id, variant_id, p_at, s.today
      FROM added
     ORDER BY seq
    RETURNING 1
  )
  SELECT count(*) INTO added_count FROM logged;

  IF added_count = 0 THEN
    RETURN;
  END IF;
  count_after := w.item_count + added_count;
  IF count_after > s.item_cap THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  UPDATE wishlist SET item_count = count_after, version = version + 1, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = w.id;
END $$;
