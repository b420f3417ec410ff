-- Returns everything of an item that its key does not say, for `activity.before`: what a restore puts back. Times in milliseconds.
-- IMMUTABLE, because Citus calls no other function for the rows of a DELETE.
CREATE OR REPLACE FUNCTION item_snapshot(
  p_added_at timestamptz, p_seq bigint, p_saved_on date, p_carted_at timestamptz,
  p_quantity integer, p_note text, p_properties jsonb, p_position double precision, p_saved_price numeric
) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'addedAt', (date_part('epoch', p_added_at) * 1000)::bigint, 'seq', p_seq, 'savedOn', p_saved_on - date '1970-01-01',
    'cartedAt', (date_part('epoch', p_carted_at) * 1000)::bigint,
    'quantity', p_quantity, 'note', p_note, 'properties', p_properties, 'position', p_position, 'savedPrice', p_saved_price))
$$;
