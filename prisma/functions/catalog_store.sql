-- Stores products of the store in the catalog cache, and the changes of variants that were there before. p_products are products as JSON, p_seen_at is
-- the time of the query to the store. A product is left out when a later query has stored or deleted it, or when the store's answer was older than
-- what is stored, as a replica's can be. With `complete`, variants that are not among the given ones are marked as deleted. A product that is no
-- longer published keeps the names and the picture that shoppers have seen. Returns whether a variant has changed.
CREATE OR REPLACE FUNCTION catalog_store(p_shop_id bigint, p_products jsonb, p_seen_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  stored text[];
  withdrawn text[];
  changed boolean;
BEGIN
  -- Locks the products, so that the next statement sees what other transactions have stored of their variants.
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(p_products) AS g (product_id text, handle text, title text, image_url text, default_variant_id text,
                                                       updated_at timestamptz, status text, published_at timestamptz)
  ), written AS (
    INSERT INTO product AS t (shop_id, product_id, handle, title, image_url, default_variant_id, updated_at, seen_at, status,
                              published_at, ever_published)
    SELECT p_shop_id, product_id, handle, title, image_url, default_variant_id, updated_at, p_seen_at, status,
           published_at, coalesce(product_is_published(status, published_at, p_seen_at), false)
      FROM given ORDER BY product_id
        ON CONFLICT (shop_id, product_id) DO UPDATE
       SET handle = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.handle ELSE EXCLUDED.handle END,
           title = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.title ELSE EXCLUDED.title END,
           image_url = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.image_url ELSE EXCLUDED.image_url END,
           default_variant_id = EXCLUDED.default_variant_id, updated_at = EXCLUDED.updated_at, seen_at = EXCLUDED.seen_at,
           status = EXCLUDED.status, published_at = EXCLUDED.published_at,
           ever_published = t.ever_published OR EXCLUDED.ever_published, deleted_at = NULL
     WHERE t.seen_at <= EXCLUDED.seen_at AND (t.updated_at <= EXCLUDED.updated_at OR t.deleted_at IS NOT NULL)
    RETURNING t.product_id, t.ever_published AND product_is_published(t.status, t.published_at, p_seen_at) IS NOT TRUE AS withdrawn
  )
  SELECT array_agg(w.product_id), array_agg(w.product_id) FILTER (WHERE w.withdrawn) INTO stored, withdrawn FROM written w;
  -- An older answer shows that the store has the product: a full sync must not take it for deleted.
  IF coalesce(cardinality(stored), 0) < jsonb_array_length(p_products) THEN
    UPDATE product t SET seen_at = p_seen_at
      FROM jsonb_to_recordset(p_products) AS g (product_id text)
     WHERE t.shop_id = p_shop_id AND t.product_id = g.product_id AND t.seen_at < p_seen_at AND t.deleted_at IS NULL;
  END IF;
  IF stored IS NULL THEN
    RETURN false;
  END IF;

  WITH variants AS MATERIALIZED (
    SELECT g.product_id, g.complete, v.*
      FROM jsonb_to_recordset(p_products) AS g (product_id text, complete boolean, variants jsonb)
     CROSS JOIN LATERAL jsonb_to_recordset(g.variants) AS v (variant_id text, title text, price numeric, compare_at_price numeric,
                                                             available boolean, inventory integer, inventory_item_id text, position integer)
     WHERE g.product_id = ANY (stored)
  ), known AS MATERIALIZED (
    SELECT n.*, k.variant_id IS NOT NULL AS is_known, k.product_id AS old_product_id, k.title AS old_title, k.price AS old_price,
           k.compare_at_price AS old_compare_at_price, k.available AS old_available, k.inventory AS old_inventory, k.deleted_at AS old_deleted_at
      FROM variants n LEFT JOIN variant k ON k.shop_id = p_shop_id AND k.variant_id = n.variant_id
  ), gone AS (
    UPDATE variant v SET deleted_at = p_seen_at
      FROM (SELECT DISTINCT product_id FROM variants WHERE complete) AS c
     WHERE v.shop_id = p_shop_id AND v.product_id = c.product_id AND v.deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM variants n WHERE n.variant_id = v.variant_id)
  ), recorded AS (
    -- A variant that was deleted, or that belonged to another product, is a new one: nothing is compared with what it was.
    INSERT INTO variant_change (shop_id, product_id, variant_id, at, old_price, price, old_compare_at_price, compare_at_price,
                                old_available, available, old_inventory, inventory)
    SELECT p_shop_id, n.product_id, n.variant_id, p_seen_at, n.old_price, n.price, n.old_compare_at_price, n.compare_at_price,
           n.old_available, n.available, n.old_inventory, n.inventory
      FROM known n
     WHERE n.old_product_id = n.product_id AND n.old_deleted_at IS NULL
       AND (n.price <> n.old_price OR n.available <> n.old_available OR n.compare_at_price IS DISTINCT FROM n.old_compare_at_price
            OR n.inventory IS DISTINCT FROM n.old_inventory)
    RETURNING 1
  ), written AS (
    INSERT INTO variant (shop_id, variant_id, product_id, title, price, compare_at_price, available, inventory, inventory_item_id, position)
    SELECT p_shop_id, n.variant_id, n.product_id, CASE WHEN n.product_id = ANY (withdrawn) THEN coalesce(n.old_title, n.title) ELSE n.title END,
           n.price, n.compare_at_price, n.available, n.inventory, n.inventory_item_id, n.position
      FROM known n
     ORDER BY n.variant_id
        ON CONFLICT (shop_id, variant_id) DO UPDATE
       SET product_id = EXCLUDED.product_id, title = EXCLUDED.title, price = EXCLUDED.price, compare_at_price = EXCLUDED.compare_at_price,
           available = EXCLUDED.available, inventory = EXCLUDED.inventory, inventory_item_id = EXCLUDED.inventory_item_id,
           position = EXCLUDED.position, deleted_at = NULL
  )
  SELECT EXISTS (SELECT 1 FROM recorded) INTO changed;

  -- Pages in memory that show the catalog's data are read anew.
  INSERT INTO catalog_version AS c (shop_id, version) VALUES (p_shop_id, 1)
      ON CONFLICT (shop_id) DO UPDATE SET version = c.version + 1;
  RETURN changed;
END $$;
