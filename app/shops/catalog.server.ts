import { run, statement } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";

/** Seconds after which a catalogue that can't answer now may be asked again. */
const RETRY_AFTER = 5;

/**
 * Where products are looked up. The mirror in our database is asked first; a source behind it (the store's own API) is asked for what
 * the mirror does not know.
 */
export interface Catalog {
  /**
   * The default variants of products, by product id. A product that does not exist is not in the map.
   * @returns `catalog_not_connected` or `catalog_unavailable` when some product's existence can't be told
   */
  defaultVariants(shopId: number, productIds: readonly string[]): Promise<ReadonlyMap<string, string> | Failure>;
}

const mirrorStatement = statement<{
  catalog: "none" | "syncing" | "ready";
  product_id: string | null;
  default_variant_id: string;
}>(
  "catalog_default_variants",
  `SELECT s.catalog, p.product_id, p.default_variant_id
     FROM shop s
     LEFT JOIN product p ON p.shop_id = s.id AND p.product_id = ANY ($2::text[]) AND p.deleted_at IS NULL
    WHERE s.id = $1`,
);

const handlesStatement = statement<{
  catalog: "none" | "syncing" | "ready";
  handle: string | null;
  product_id: string;
}>(
  "catalog_handles",
  // A handle can pass from one product to another: the one that was heard of last has it.
  `SELECT s.catalog, p.handle, p.product_id
     FROM shop s
     LEFT JOIN LATERAL (SELECT DISTINCT ON (p.handle) p.handle, p.product_id FROM product p
                         WHERE p.shop_id = s.id AND p.handle = ANY ($2::text[]) AND p.deleted_at IS NULL
                         ORDER BY p.handle, p.updated_at DESC) AS p ON true
    WHERE s.id = $1`,
);

/** The mirror alone. What it lacks does not exist when it is complete, and can't be told otherwise. */
const mirror: Catalog = {
  async defaultVariants(shopId, productIds) {
    const rows = await run(mirrorStatement, [shopId, [...new Set(productIds)]]);
    const found = new Map(
      rows.flatMap((row) => (row.product_id === null ? [] : [[row.product_id, row.default_variant_id]])),
    );
    const state = rows[0]?.catalog ?? "none";
    if (state === "ready" || productIds.every((id) => found.has(id))) return found;
    return state === "none" ? notConnected() : unavailable();
  },
};

function notConnected(): Failure {
  return new Failure(
    "catalog_not_connected",
    "This shop has no catalogue connection, so the default variant is not known. Send `variant_id` as well (`variantId` in a merge).",
  );
}

function unavailable(): Failure {
  return new Failure(
    "catalog_unavailable",
    "The shop's catalogue can't be asked right now. Try again, or send `variant_id` as well.",
    { retryAfter: RETRY_AFTER },
  );
}

/**
 * The ids of products, by their handles. A handle that no product has is not in the map.
 * @returns `catalog_not_connected` or `catalog_unavailable` when some handle's product can't be told
 */
export async function resolveHandles(
  shopId: number,
  handles: readonly string[],
): Promise<ReadonlyMap<string, string> | Failure> {
  const rows = await run(handlesStatement, [shopId, [...new Set(handles)]]);
  const found = new Map(rows.flatMap((row) => (row.handle === null ? [] : [[row.handle, row.product_id]])));
  const state = rows[0]?.catalog ?? "none";
  if (state === "ready" || handles.every((handle) => found.has(handle))) return found;
  return state === "none" ? notConnected() : unavailable();
}

export function catalog(): Catalog {
  return mirror;
}
