-- Applies operations (arrays of equal length) to a list in their order, all or nothing, as one version. p_kinds: add | remove | update. p_phases groups
-- consecutive operations of one kind on different items, from 1: those of a phase run together. p_details has of an add its
-- details, of an update its changes. A guest without a list counts as a new guest (wishlist_lock). Errors: WL001 for too many items; those of
-- list_update_item, whose message names the index of the operation.
-- effects: for each operation whether it changed anything
CREATE OR REPLACE FUNCTION wishlist_batch(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_kinds text[], p_phases integer[], p_product_ids text[], p_variant_ids text[],
  p_details jsonb[], p_source text, p_at timestamptz, p_guest_limit integer DEFAULT NULL, p_guest_origins text[] DEFAULT '{}', OUT effects boolean[], OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  today date;
  w wishlist;
  done boolean[];
  change item_change;
  changes item_change[];
  of_phase item_change[];
  from_ordinal integer := 1;
  to_ordinal integer;
  phases CONSTANT integer := coalesce(p_phases[cardinality(p_phases)], 0);
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, 'add' = ANY (p_kinds), p_list, p_guest_limit, p_guest_origins);
  SELECT (p_at AT TIME ZONE time_zone)::date INTO STRICT today FROM shop WHERE id = p_shop_id;
  count_after := coalesce(w.item_count, 0);
  effects := array_fill(false, ARRAY[cardinality(p_kinds)]);

  FOR phase IN 1 .. phases LOOP
    to_ordinal := from_ordinal;
    WHILE p_phases[to_ordinal + 1] = phase LOOP
      to_ordinal := to_ordinal + 1;
    END LOOP;

    IF p_kinds[from_ordinal] = 'add' THEN
      of_phase := coalesce(list_insert_items(p_shop_id, w.id, p_product_ids[from_ordinal:to_ordinal], p_variant_ids[from_ordinal:to_ordinal],
                                             p_details[from_ordinal:to_ordinal], today, p_at, count_after), '{}');
      done := array_fill(true, ARRAY[to_ordinal - from_ordinal + 1]);
      IF cardinality(of_phase) < cardinality(done) THEN
        SELECT array_agg(c.product_id IS NOT NULL ORDER BY g.ordinal) INTO done
          FROM unnest(p_product_ids[from_ordinal:to_ordinal], p_variant_ids[from_ordinal:to_ordinal]) WITH ORDINALITY AS g (product_id, variant_id, ordinal)
          LEFT JOIN unnest(of_phase) AS c ON c.product_id = g.product_id AND c.variant_id = g.variant_id;
      END IF;
      count_after := count_after + cardinality(of_phase);
      effects[from_ordinal:to_ordinal] := done;
      changes := changes || of_phase;
    ELSE
      FOR ordinal IN from_ordinal .. to_ordinal LOOP
        IF p_kinds[ordinal] = 'remove' THEN
          of_phase := list_remove_items(p_shop_id, w.id, p_product_ids[ordinal], p_variant_ids[ordinal]);
          count_after := count_after - coalesce(cardinality(of_phase), 0);
        ELSE
          of_phase := list_update_item(p_shop_id, w.id, p_product_ids[ordinal], p_variant_ids[ordinal], p_details[ordinal], p_at, ordinal - 1);
        END IF;
        effects[ordinal] := of_phase IS NOT NULL;
        FOREACH change IN ARRAY coalesce(of_phase, '{}') LOOP
          change.item_count := count_after;
          changes := changes || change;
        END LOOP;
      END LOOP;
    END IF;
    from_ordinal := to_ordinal + 1;
  END LOOP;

  IF cardinality(changes) > 0 THEN
    PERFORM list_apply(p_shop_id, w.id, changes, p_source, p_at);
  END IF;
END $$;
