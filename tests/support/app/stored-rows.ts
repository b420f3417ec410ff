import type { TestDatabase } from "../database/database.ts";

interface Stored {
  wishlists: unknown[];
  items: unknown[];
  links: unknown[];
  activity: unknown[];
}

/**
 * Returns every row that a change to wishlists could affect, of all shops or of one. Equal results before and after mean
 * that nothing was stored. `processed_at` and `change_number` are left out, because the outbox processor sets them at any time.
 */
export async function everythingStored(database: TestDatabase, shopId: number | null = null): Promise<Stored> {
  const [row] = await database.rows<{ all: Stored }>(
    `SELECT json_build_object(
       'wishlists', (SELECT coalesce(json_agg(w ORDER BY w.shop_id, w.id), '[]') FROM wishlist w WHERE $1::integer IS NULL OR w.shop_id = $1),
       'items', (SELECT coalesce(json_agg(i ORDER BY i.shop_id, i.seq), '[]') FROM wishlist_item i WHERE $1::integer IS NULL OR i.shop_id = $1),
       'links', (SELECT coalesce(json_agg(l ORDER BY l.shop_id, l.id), '[]') FROM share_link l WHERE $1::integer IS NULL OR l.shop_id = $1),
       'activity', (SELECT coalesce(json_agg(to_jsonb(a) - ARRAY['processed_at', 'change_number'] ORDER BY a.shop_id, a.id), '[]') FROM activity a WHERE $1::integer IS NULL OR a.shop_id = $1)) AS all`,
    [shopId],
  );
  if (!row) throw new Error("no row");
  return row.all;
}

/** Returns the rows of every table as text, to show what is stored nowhere. */
export async function textOfEveryTable(database: TestDatabase): Promise<string[]> {
  const stored = await database.rows<{ text: string }>(
    `SELECT query_to_xml(format('SELECT * FROM %I', relname), true, false, '')::text AS text
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  return stored.map(({ text }) => text);
}

export interface StoredWishlist {
  item_count: number;
  version: number;
  /** newest first */
  items: { product_id: string; variant_id: string; added_at: string }[];
  /** oldest first */
  activity: {
    kind: string;
    source: string;
    product_id: string | null;
    variant_id: string | null;
    version: number;
    item_count: number;
  }[];
}

/** Returns the stored wishlist of a customer, or undefined when there is none. */
export async function storedWishlist(
  database: TestDatabase,
  shopId: number,
  customerId: string,
): Promise<StoredWishlist | undefined> {
  const [row] = await database.rows<{ found: StoredWishlist }>(
    `SELECT json_build_object('item_count', w.item_count, 'version', w.version,
       'items', (SELECT coalesce(json_agg(json_build_object('product_id', i.product_id, 'variant_id', i.variant_id,
                          'added_at', to_char(i.added_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                        ORDER BY i.added_at DESC, i.seq DESC), '[]')
                   FROM wishlist_item i WHERE i.shop_id = w.shop_id AND i.wishlist_id = w.id),
       'activity', (SELECT coalesce(json_agg(json_build_object('kind', a.kind, 'source', a.source, 'product_id', a.product_id,
                          'variant_id', a.variant_id, 'version', a.version, 'item_count', a.item_count) ORDER BY a.id), '[]')
                      FROM activity a WHERE a.shop_id = w.shop_id AND a.wishlist_id = w.id)) AS found
       FROM wishlist w
      WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = $2 AND w.handle = 'default'`,
    [shopId, customerId],
  );
  return row?.found;
}
