-- Returns the details of an item for `activity.data`, as the change feed shows them: NULL for an item without details that was saved at p_at.
CREATE OR REPLACE FUNCTION item_data(
  p_added_at timestamptz, p_at timestamptz, p_quantity integer, p_note text, p_properties jsonb, p_position double precision
) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
    'addedAt', CASE WHEN p_added_at <> p_at THEN (date_part('epoch', p_added_at) * 1000)::bigint END,
    'quantity', p_quantity, 'note', p_note, 'properties', p_properties, 'position', p_position)), '{}')
$$;
