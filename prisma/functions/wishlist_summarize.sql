-- Brings the summaries of lists up to date: a new list gets one, a deleted one loses it. Calls of a shop follow each other, so that an older snapshot never
-- replaces a newer one. Rows that another transaction deletes are skipped and not waited for: an erasure that holds some of them may need others.
CREATE OR REPLACE FUNCTION wishlist_summarize(p_shop_id bigint, p_lists bigint[]) RETURNS void LANGUAGE plpgsql
-- A plan that was made while the table was empty would read all of it for each batch of a first pass.
SET enable_seqscan = off AS $$
DECLARE
  summarized_at CONSTANT timestamptz := clock_timestamp();
  computed wishlist_summary[];
  fresh bigint[];
  changed bigint[];
  currency_since timestamptz;
  -- Prices saved before this time may be in another currency.
  comparable_from timestamptz := '-infinity';
BEGIN
  IF coalesce(cardinality(p_lists), 0) = 0 THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(advisory_lock_key('summary', p_shop_id::text));
  SELECT s.currency_changed_at INTO currency_since FROM shop s WHERE s.id = p_shop_id;
  IF currency_since IS NOT NULL THEN
    SELECT y.finished_at INTO comparable_from FROM catalog_sync y WHERE y.shop_id = p_shop_id AND y.started_at > currency_since;
    comparable_from := coalesce(comparable_from, 'infinity');
  END IF;

  DELETE FROM wishlist_summary
   WHERE shop_id = p_shop_id
     AND wishlist_id = ANY (ARRAY(SELECT w.id FROM wishlist w
                                   WHERE w.shop_id = p_shop_id AND w.id = ANY (p_lists) AND w.deleted_at IS NOT NULL
                                     FOR KEY SHARE SKIP LOCKED));
  SELECT array_agg(ROW(p_shop_id, w.id,
                       (w.owner_kind = 'guest')::integer + 2 * (w.handle <> 'default')::integer + 4 * (x.out_of_stock > 0)::integer
                       + 8 * (x.price_dropped > 0)::integer + 16 * (w.owner_kind = 'customer' AND y.alerts)::integer
                       + 32 * (y.shared_until IS NOT NULL)::integer,
                       w.updated_at, w.item_count, x.value, x.out_of_stock, x.price_dropped, y.shared_until)::wishlist_summary)
    INTO computed
    FROM wishlist w
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(v.price * coalesce(i.quantity, 1)), 0) AS value,
            (count(*) FILTER (WHERE NOT v.available))::integer AS out_of_stock,
            (count(*) FILTER (WHERE v.price < i.saved_price AND i.added_at >= comparable_from))::integer AS price_dropped
       FROM wishlist_item i
       JOIN variant v ON v.shop_id = p_shop_id AND v.variant_id = i.variant_id AND v.product_id = i.product_id AND v.deleted_at IS NULL
       JOIN product p ON p.shop_id = p_shop_id AND p.product_id = i.product_id AND p.deleted_at IS NULL
      WHERE i.shop_id = p_shop_id AND i.wishlist_id = w.id) AS x
   CROSS JOIN LATERAL (
     SELECT (SELECT max(l.expires_at) FROM share_link l
              WHERE l.shop_id = p_shop_id AND l.wishlist_id = w.id AND l.revoked_at IS NULL AND l.expires_at > summarized_at) AS shared_until,
            EXISTS (SELECT 1 FROM (SELECT DISTINCT ON (c.kind) c.given FROM alert_consent c
                                    WHERE c.shop_id = p_shop_id AND c.customer_id = w.owner_id ORDER BY c.kind, c.id DESC) AS k
                     WHERE k.given) AS alerts) AS y
   WHERE w.shop_id = p_shop_id AND w.id = ANY (p_lists) AND w.deleted_at IS NULL;

  SELECT array_agg(l.wishlist_id) INTO changed
    FROM (SELECT s.wishlist_id
            FROM unnest(computed) AS c JOIN wishlist_summary s ON s.shop_id = p_shop_id AND s.wishlist_id = c.wishlist_id
           WHERE s.wishlist_id = ANY (p_lists)
             AND (s.flags, s.active_at, s.item_count, s.value, s.out_of_stock, s.price_dropped, s.shared_until)
                 IS DISTINCT FROM (c.flags, c.active_at, c.item_count, c.value, c.out_of_stock, c.price_dropped, c.shared_until)
             FOR UPDATE OF s SKIP LOCKED) AS l;
  UPDATE wishlist_summary s
     SET flags = c.flags, active_at = c.active_at, item_count = c.item_count, value = c.value, out_of_stock = c.out_of_stock,
         price_dropped = c.price_dropped, shared_until = c.shared_until
    FROM unnest(computed) AS c
   WHERE s.shop_id = p_shop_id AND s.wishlist_id = c.wishlist_id AND s.wishlist_id = ANY (changed);

  SELECT array_agg(l.id) INTO fresh
    FROM (SELECT w.id FROM wishlist w
           WHERE w.shop_id = p_shop_id AND w.id = ANY (p_lists) AND w.deleted_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM wishlist_summary s WHERE s.shop_id = p_shop_id AND s.wishlist_id = w.id)
             FOR KEY SHARE OF w SKIP LOCKED) AS l;
  IF fresh IS NOT NULL THEN
    INSERT INTO wishlist_summary (shop_id, wishlist_id, flags, active_at, item_count, value, out_of_stock, price_dropped, shared_until)
    SELECT p_shop_id, c.wishlist_id, c.flags, c.active_at, c.item_count, c.value, c.out_of_stock, c.price_dropped, c.shared_until
      FROM unnest(computed) AS c WHERE c.wishlist_id = ANY (fresh);
  END IF;
END $$;
