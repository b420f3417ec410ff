-- Does the next step of keeping a shop's summaries: up to p_limit changes of lists that they do not include yet; without any, up to p_limit lists of the pass
-- over all lists, which prices and stock need. The first call begins a pass, and so does p_begin unless one is in progress. remaining tells whether
-- there may be more to do; a step that was interrupted is repeated.
CREATE OR REPLACE FUNCTION wishlist_summary_step(
  p_shop_id bigint, p_limit integer, p_begin boolean, p_at timestamptz, OUT remaining boolean
) LANGUAGE plpgsql AS $$
DECLARE
  s wishlist_summary_state;
  lists bigint[];
  last_id bigint;
  processed bigint;
  version_now bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(advisory_lock_key('summary', p_shop_id::text));
  SELECT c.version INTO version_now FROM catalog_version c WHERE c.shop_id = p_shop_id;
  version_now := coalesce(version_now, 0);
  SELECT * INTO s FROM wishlist_summary_state t WHERE t.shop_id = p_shop_id;
  IF NOT FOUND THEN
    SELECT c.last_number INTO processed FROM shop_change c WHERE c.shop_id = p_shop_id;
    INSERT INTO wishlist_summary_state AS t (shop_id, change_number, pass_after, begun_at, catalog_version)
    VALUES (p_shop_id, coalesce(processed, 0), 0, p_at, version_now)
    RETURNING t.* INTO s;
  ELSIF p_begin AND s.pass_after IS NULL THEN
    UPDATE wishlist_summary_state t SET pass_after = 0, begun_at = p_at, catalog_version = version_now
     WHERE t.shop_id = p_shop_id RETURNING t.* INTO s;
  END IF;

  SELECT array_agg(DISTINCT a.wishlist_id), max(a.change_number) INTO lists, processed
    FROM (SELECT wishlist_id, change_number FROM activity
           WHERE shop_id = p_shop_id AND change_number > s.change_number ORDER BY change_number LIMIT p_limit) AS a;
  IF processed IS NOT NULL THEN
    PERFORM wishlist_summarize(p_shop_id, lists);
    UPDATE wishlist_summary_state t SET change_number = processed WHERE t.shop_id = p_shop_id;
    remaining := true;
    RETURN;
  END IF;

  remaining := s.pass_after IS NOT NULL;
  IF NOT remaining THEN
    RETURN;
  END IF;
  SELECT array_agg(w.id), max(w.id) INTO lists, last_id
    FROM (SELECT id FROM wishlist WHERE shop_id = p_shop_id AND id > s.pass_after ORDER BY id LIMIT p_limit) AS w;
  IF last_id IS NULL THEN
    UPDATE wishlist_summary_state t SET pass_after = NULL, complete_at = s.begun_at WHERE t.shop_id = p_shop_id;
    remaining := false;
    RETURN;
  END IF;
  PERFORM wishlist_summarize(p_shop_id, lists);
  UPDATE wishlist_summary_state t SET pass_after = last_id WHERE t.shop_id = p_shop_id;
END $$;
