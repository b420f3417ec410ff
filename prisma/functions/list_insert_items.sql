-- Inserts items (arrays of equal length, no item twice) into a locked list, in their order, except those that it has. p_items are snapshots
-- (item_row_snapshot): an item without `seq` is saved now, with its details, on p_today and at the variant's present price, also if it has an earlier
-- `addedAt`. Returns the changes for list_apply, NULL without any; with p_item_count, the list's number of items before, each has the one after it.
CREATE OR REPLACE FUNCTION list_insert_items(
  p_shop_id bigint, p_wishlist_id bigint, p_product_ids text[], p_variant_ids text[], p_items jsonb[], p_today date, p_at timestamptz,
  p_item_count integer DEFAULT NULL
) RETURNS item_change[] LANGUAGE plpgsql AS $$
DECLARE
  changes item_change[];
BEGIN
  WITH given AS MATERIALIZED (
    SELECT g.product_id, g.variant_id, g.item, g.ordinal, g.item ? 'seq' AS is_old
      FROM unnest(p_product_ids, p_variant_ids, p_items) WITH ORDINALITY AS g (product_id, variant_id, item, ordinal)
  ), added AS (
    INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, seq, saved_on, carted_at,
                               quantity, note, properties, position, saved_price)
    SELECT p_shop_id, p_wishlist_id, product_id, variant_id, coalesce(to_timestamp((item ->> 'addedAt')::bigint / 1000.0), p_at),
           CASE WHEN is_old THEN (item ->> 'seq')::bigint ELSE nextval('wishlist_item_seq_seq') END,
           CASE WHEN is_old THEN date '1970-01-01' + (item ->> 'savedOn')::integer ELSE p_today END,
           to_timestamp((item ->> 'cartedAt')::bigint / 1000.0),
           (item ->> 'quantity')::integer, item ->> 'note', item -> 'properties', (item ->> 'position')::double precision,
           CASE WHEN is_old THEN (item ->> 'savedPrice')::numeric
                ELSE (SELECT v.price FROM variant v WHERE v.shop_id = p_shop_id AND v.variant_id = given.variant_id
                                                      AND v.product_id = given.product_id AND v.deleted_at IS NULL) END
      FROM given
     ORDER BY ordinal
        ON CONFLICT (shop_id, wishlist_id, product_id, variant_id) DO NOTHING
    RETURNING product_id, variant_id, seq
  )
  SELECT array_agg(ROW('added', c.product_id, c.variant_id, c.seq, CASE WHEN c.item <> '{}' THEN item_snapshot_data(c.item, p_at) END, NULL,
                       p_item_count + c.number)::item_change ORDER BY c.seq)
    INTO changes
    FROM (SELECT a.*, g.item, row_number() OVER (ORDER BY a.seq) AS number
            FROM added a JOIN given g ON g.product_id = a.product_id AND g.variant_id = a.variant_id) AS c;
  RETURN changes;
END $$;
