-- Returns everything of an item that its key does not say, for `activity.before`: what list_insert_items puts back. Times in milliseconds. p_item is a row of
-- wishlist_item. Its type is not named, because on Citus the row of a shard has the shard's. IMMUTABLE, because Citus calls no other function for the rows
-- of a DELETE.
CREATE OR REPLACE FUNCTION item_row_snapshot(p_item anyelement) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'addedAt', (date_part('epoch', p_item.added_at) * 1000)::bigint, 'seq', p_item.seq, 'savedOn', p_item.saved_on - date '1970-01-01',
    'cartedAt', (date_part('epoch', p_item.carted_at) * 1000)::bigint,
    'quantity', p_item.quantity, 'note', p_item.note, 'properties', p_item.properties, 'position', p_item.position, 'savedPrice', p_item.saved_price))
$$;
