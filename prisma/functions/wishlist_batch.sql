-- Applies operations (arrays of equal length) to a list in their order, all or nothing, as one version. p_kinds: add | remove | update. p_phases groups
-- consecutive operations of one kind on different items, from 1: those of a phase run together. p_details has of an add quantity, note and properties, of
-- an update its changes. A guest without a list counts as a new guest (wishlist_lock). Errors: WL001 for too many items; those of item_update, whose message names the place of the operation, from 0.
-- effects: for each operation whether it changed anything
CREATE OR REPLACE FUNCTION wishlist_batch(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_kinds text[], p_phases integer[], p_product_ids text[], p_variant_ids text[],
  p_details jsonb[], p_source text, p_at timestamptz, p_guest_limit integer DEFAULT NULL, p_guest_origins text[] DEFAULT '{}', OUT effects boolean[], OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
  added integer;
  done boolean[];
  detailed boolean := false;
  next_version bigint;
  from_place integer := 1;
  to_place integer;
  phases CONSTANT integer := coalesce(p_phases[cardinality(p_phases)], 0);
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, 'add' = ANY (p_kinds), p_list, p_guest_limit, p_guest_origins);
  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  count_after := coalesce(w.item_count, 0);
  next_version := w.version + 1;
  effects := array_fill(false, ARRAY[cardinality(p_kinds)]);

  FOR phase IN 1 .. phases LOOP
    to_place := from_place;
    WHILE p_phases[to_place + 1] = phase LOOP
      to_place := to_place + 1;
    END LOOP;

    IF p_kinds[from_place] = 'add' THEN
      WITH given AS MATERIALIZED (
        SELECT g.product_id, g.variant_id, g.details, g.place
          FROM unnest(p_product_ids[from_place:to_place], p_variant_ids[from_place:to_place], p_details[from_place:to_place]) WITH ORDINALITY
               AS g (product_id, variant_id, details, place)
      ), added AS (
        INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on, quantity, note, properties, saved_price)
        SELECT p_shop_id, w.id, product_id, variant_id, p_at, s.today, (details ->> 'quantity')::integer, details ->> 'note', details -> 'properties',
               (SELECT v.price FROM variant v
                 WHERE v.shop_id = p_shop_id AND v.variant_id = given.variant_id AND v.product_id = given.product_id AND v.deleted_at IS NULL)
          FROM given
         ORDER BY place
            ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
        RETURNING product_id, variant_id, seq, quantity, note, properties
      ), logged AS (
        INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, list_id, version, item_count,
                              product_id, variant_id, item_seq, data, at, day)
        SELECT p_shop_id, 'added', p_source, p_owner_kind, p_owner_id, w.id, nullif(w.handle, 'default'), next_version,
               count_after + (row_number() OVER (ORDER BY seq))::integer, product_id, variant_id, seq,
               CASE WHEN num_nonnulls(quantity, note, properties) > 0 THEN item_data(p_at, p_at, quantity, note, properties, NULL) END, p_at, s.today
          FROM added
         ORDER BY seq
        RETURNING product_id, variant_id, data
      )
      SELECT array_agg(l.product_id IS NOT NULL ORDER BY g.place), count(l.product_id), coalesce(bool_or(l.data IS NOT NULL), false) OR detailed
        INTO done, added, detailed
        FROM given g LEFT JOIN logged l ON l.product_id = g.product_id AND l.variant_id = g.variant_id;
      count_after := count_after + added;
      effects[from_place:to_place] := done;
    ELSE
      FOR place IN from_place .. to_place LOOP
        IF p_kinds[place] = 'remove' THEN
          added := item_remove(p_shop_id, w.id, next_version, count_after, p_product_ids[place], p_variant_ids[place], p_source, p_at);
          count_after := count_after - added;
          effects[place] := added > 0;
        ELSE
          effects[place] := item_update(p_shop_id, w.id, next_version, count_after, p_product_ids[place], p_variant_ids[place], p_details[place],
                                        p_source, p_at, place - 1);
          detailed := detailed OR effects[place];
        END IF;
      END LOOP;
    END IF;
    from_place := to_place + 1;
  END LOOP;

  IF NOT true = ANY (effects) THEN
    RETURN;
  END IF;
  IF count_after > s.item_cap AND count_after > w.item_count THEN
    RAISE EXCEPTION 'a wishlist of this shop holds at most % items', s.item_cap USING ERRCODE = 'WL001';
  END IF;
  UPDATE wishlist SET item_count = count_after, version = next_version, updated_at = p_at, has_details = has_details OR detailed
   WHERE shop_id = p_shop_id AND id = w.id;
END $$;
