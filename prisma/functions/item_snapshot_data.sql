-- Returns of an item's snapshot (item_row_snapshot) what the change feed shows, for `activity.data`: the details, and the time if it is not p_at. NULL for neither.
CREATE OR REPLACE FUNCTION item_snapshot_data(p_snapshot jsonb, p_at timestamptz) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT nullif(p_snapshot - CASE WHEN (p_snapshot -> 'addedAt')::numeric = extract(epoch FROM p_at) * 1000
                                  THEN ARRAY['seq', 'savedOn', 'cartedAt', 'savedPrice', 'addedAt']
                                  ELSE ARRAY['seq', 'savedOn', 'cartedAt', 'savedPrice'] END, '{}')
$$;
