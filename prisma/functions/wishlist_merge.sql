-- Merges items (arrays of equal length) into a list, all or nothing. Of duplicates the earliest counts, a future time counts as now, and an item that
-- is saved already keeps its row and details. Exceeding the shop's item cap raises WL001 and changes nothing. A guest
-- without a list counts as a new guest (wishlist_lock).
CREATE OR REPLACE FUNCTION wishlist_merge(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_ids text[], p_variant_ids text[],
  p_added_at timestamptz[], p_source text, p_at timestamptz, p_list text DEFAULT 'default', p_quantities integer[] DEFAULT NULL,
  p_notes text[] DEFAULT NULL, p_properties jsonb[] DEFAULT NULL, p_guest_limit integer DEFAULT NULL, p_guest_origins text[] DEFAULT '{}',
  OUT added_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
  changes item_change[];
  detailed boolean;
BEGIN
  -- An empty merge creates no wishlist.
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, cardinality(p_product_ids) > 0, p_list, p_guest_limit, p_guest_origins);
  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  added_count := 0;
  count_after := coalesce(w.item_count, 0);
  IF w.id IS NULL THEN
    RETURN;
  END IF;

  WITH given AS (
    SELECT DISTINCT ON (product_id, variant_id) product_id, variant_id, least(added_at, p_at) AS added_at, place, quantity, note, properties
      FROM unnest(p_product_ids, p_variant_ids, p_added_at, p_quantities, p_notes, p_properties) WITH ORDINALITY
           AS g (product_id, variant_id, added_at, quantity, note, properties, place)
     ORDER BY product_id, variant_id, g.added_at, place
  ), added AS (
    INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on, quantity, note, properties, saved_price)
    SELECT p_shop_id, w.id, product_id, variant_id, added_at, CASE WHEN p_source <> 'import' THEN s.today END, quantity, note, properties,
           (SELECT v.price FROM variant v
             WHERE v.shop_id = p_shop_id AND v.variant_id = given.variant_id AND v.product_id = given.product_id AND v.deleted_at IS NULL)
      FROM given
     ORDER BY added_at, place
        ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
    RETURNING product_id, variant_id, added_at, seq, quantity, note, properties
  )
  SELECT array_agg(ROW('added', product_id, variant_id, seq, item_data(added_at, p_at, quantity, note, properties, NULL), NULL)::item_change ORDER BY seq),
         count(*), bool_or(num_nonnulls(quantity, note, properties) > 0)
    INTO changes, added_count, detailed FROM added;

  IF added_count = 0 THEN
    RETURN;
  END IF;
  count_after := w.item_count + added_count;
  IF count_after > s.item_cap THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  PERFORM list_apply(p_shop_id, w, changes, count_after, detailed, p_source, p_at);
END $$;
