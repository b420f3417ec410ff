-- Moves or copies items from one list of an owner to another, all or nothing. An item that the target has stays there as it is; a moved one keeps its time
-- and details, a copy is saved now. p_variant_ids has NULL for every variant of a product. An item that neither list has: error WL007 with its index in the
-- message; so a repeated move changes nothing. Exceeding the item cap: WL001.
-- changed: items that the target gained, or that left the source; gained: items that the target did not have
CREATE OR REPLACE FUNCTION wishlist_move_items(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_from text, p_to text, p_product_ids text[], p_variant_ids text[], p_copy boolean,
  p_source text, p_at timestamptz, OUT changed integer, OUT from_count integer, OUT to_count integer, OUT gained integer
) LANGUAGE plpgsql AS $$
DECLARE
  today date;
  f wishlist;
  t wishlist;
  missing integer;
  products text[];
  variants text[];
  items jsonb[];
  removed item_change[];
  added item_change[];
  cause CONSTANT text := CASE WHEN p_copy THEN p_source ELSE 'move' END;
BEGIN
  PERFORM wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false);
  f := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, false, p_from);
  t := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, p_owner_kind = 'customer', p_to);
  SELECT (p_at AT TIME ZONE time_zone)::date INTO STRICT today FROM shop WHERE id = p_shop_id;

  SELECT min(g.ordinal) INTO missing
    FROM unnest(p_product_ids, p_variant_ids) WITH ORDINALITY AS g (product_id, variant_id, ordinal)
   WHERE NOT EXISTS (SELECT 1 FROM wishlist_item i
                      WHERE i.shop_id = p_shop_id AND i.wishlist_id IN (f.id, t.id) AND i.product_id = g.product_id
                        AND (g.variant_id IS NULL OR i.variant_id = g.variant_id));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'the list does not have the item at place %', missing - 1 USING ERRCODE = 'WL007';
  END IF;

  SELECT array_agg(c.product_id ORDER BY c.seq), array_agg(c.variant_id ORDER BY c.seq),
         array_agg(c.snapshot - CASE WHEN p_copy THEN ARRAY['position', 'addedAt', 'seq', 'savedOn', 'cartedAt', 'savedPrice'] ELSE ARRAY['position'] END
                   ORDER BY c.seq),
         array_agg(ROW('removed', c.product_id, c.variant_id, NULL, jsonb_build_object('movedTo', t.handle), c.snapshot, NULL)::item_change
                   ORDER BY c.seq)
    INTO products, variants, items, removed
    FROM (SELECT DISTINCT i.product_id, i.variant_id, i.seq, item_row_snapshot(i) AS snapshot
            FROM unnest(p_product_ids, p_variant_ids) AS g (product_id, variant_id)
            JOIN wishlist_item i ON i.shop_id = p_shop_id AND i.wishlist_id = f.id AND i.product_id = g.product_id
                                AND (g.variant_id IS NULL OR i.variant_id = g.variant_id)) AS c;

  added := list_insert_items(p_shop_id, t.id, products, variants, items, today, p_at);
  gained := coalesce(cardinality(added), 0);
  changed := gained;
  from_count := f.item_count;
  to_count := t.item_count + gained;
  IF gained > 0 THEN
    PERFORM list_apply(p_shop_id, t.id, added, cause, p_at);
  END IF;
  IF p_copy OR products IS NULL THEN
    RETURN;
  END IF;

  changed := cardinality(products);
  from_count := f.item_count - changed;
  DELETE FROM wishlist_item i USING unnest(products, variants) AS c (product_id, variant_id)
   WHERE i.shop_id = p_shop_id AND i.wishlist_id = f.id AND i.product_id = c.product_id AND i.variant_id = c.variant_id;
  PERFORM list_apply(p_shop_id, f.id, removed, cause, p_at);
END $$;
