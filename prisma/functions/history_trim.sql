-- Takes the texts of items out of the oldest changes of a locked list when those that only its history needs exceed p_bytes: notes and properties as they were
-- before a change, and as they were after one that another change of the item follows. Versions before a change with "cut" can't be restored. Looks at
-- the last p_rows changes of items, of which the older ones were looked at before.
CREATE OR REPLACE FUNCTION history_trim(p_shop_id bigint, p_wishlist_id bigint, p_bytes integer DEFAULT 1000000, p_rows integer DEFAULT 4000)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  texts CONSTANT text[] := ARRAY['note', 'properties'];
  before_ids bigint[];
  data_ids bigint[];
BEGIN
  SELECT array_agg(h.id) FILTER (WHERE h.before ?| texts), array_agg(h.id) FILTER (WHERE h.is_followed AND h.data ?| texts)
    INTO before_ids, data_ids
    FROM (SELECT f.*, coalesce(sum(f.before_size) OVER w, 0) + coalesce(sum(f.data_size) FILTER (WHERE f.is_followed) OVER w, 0) AS bytes
            FROM (SELECT r.*, pg_column_size(r.before) AS before_size, pg_column_size(r.data) AS data_size,
                         row_number() OVER (PARTITION BY r.product_id, r.variant_id ORDER BY r.version DESC, r.id DESC) > 1 AS is_followed
                    FROM (SELECT id, version, product_id, variant_id, data, before, processed_at FROM activity
                           WHERE shop_id = p_shop_id AND wishlist_id = p_wishlist_id AND product_id IS NOT NULL AND kind IN ('added', 'removed', 'updated')
                           ORDER BY version DESC, id DESC LIMIT p_rows) AS r) AS f
          WINDOW w AS (ORDER BY f.version DESC, f.id DESC)) AS h
   -- Webhooks need the others.
   WHERE h.bytes > p_bytes AND h.processed_at < 'infinity';
  IF before_ids IS NOT NULL THEN
    UPDATE activity SET before = (before - texts) || '{"cut": true}' WHERE shop_id = p_shop_id AND id = ANY (before_ids);
  END IF;
  IF data_ids IS NOT NULL THEN
    UPDATE activity SET data = data - texts WHERE shop_id = p_shop_id AND id = ANY (data_ids);
  END IF;
END $$;
