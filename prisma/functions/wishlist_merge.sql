-- Merges items (arrays of equal length) into a list, all or nothing. Of duplicates the earliest counts, a future time counts as now, and an item that
-- is saved already keeps its row and details. Exceeding the shop's item cap raises WL001 and changes nothing. A guest without a list counts as a new
-- guest (wishlist_lock). p_details as of wishlist_add; p_quantities, p_notes and p_properties are those of the release before.
CREATE OR REPLACE FUNCTION wishlist_merge(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_ids text[], p_variant_ids text[],
  p_added_at timestamptz[], p_source text, p_at timestamptz, p_list text DEFAULT 'default', p_quantities integer[] DEFAULT NULL,
  p_notes text[] DEFAULT NULL, p_properties jsonb[] DEFAULT NULL, p_guest_limit integer DEFAULT NULL, p_guest_origins text[] DEFAULT '{}',
  p_details jsonb[] DEFAULT NULL,
  OUT added_count integer, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  today date;
  w wishlist;
  products text[];
  variants text[];
  items jsonb[];
  changes item_change[];
BEGIN
  -- An empty merge creates no wishlist.
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, cardinality(p_product_ids) > 0, p_list, p_guest_limit, p_guest_origins);
  SELECT (p_at AT TIME ZONE time_zone)::date INTO STRICT today FROM shop WHERE id = p_shop_id;
  added_count := 0;
  count_after := coalesce(w.item_count, 0);
  IF w.id IS NULL THEN
    RETURN;
  END IF;

  SELECT array_agg(g.product_id), array_agg(g.variant_id), array_agg(g.details || jsonb_build_object('addedAt', g.added_at))
    INTO products, variants, items
    FROM (SELECT n.product_id, n.variant_id, (date_part('epoch', n.added_at) * 1000)::bigint AS added_at,
                 coalesce(n.details, CASE WHEN num_nonnulls(n.quantity, n.note, n.properties) > 0 THEN
                   jsonb_strip_nulls(jsonb_build_object('quantity', n.quantity, 'note', n.note, 'properties', n.properties)) END, '{}') AS details
            FROM (SELECT DISTINCT ON (product_id, variant_id) product_id, variant_id, least(added_at, p_at) AS added_at, ordinal, details, quantity, note, properties
                    FROM unnest(p_product_ids, p_variant_ids, p_added_at, p_details, p_quantities, p_notes, p_properties) WITH ORDINALITY
                         AS g (product_id, variant_id, added_at, details, quantity, note, properties, ordinal)
                   ORDER BY product_id, variant_id, g.added_at, ordinal) AS n
           ORDER BY n.added_at, n.ordinal) AS g;
  changes := list_insert_items(p_shop_id, w.id, products, variants, items, CASE WHEN p_source <> 'import' THEN today END, p_at);
  added_count := coalesce(cardinality(changes), 0);
  count_after := w.item_count + added_count;
  IF added_count > 0 THEN
    PERFORM list_apply(p_shop_id, w.id, changes, p_source, p_at);
  END IF;
END $$;
