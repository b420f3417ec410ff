/** The defaults of ACTIVITY_RETENTION_DAYS and WEBHOOK_RETENTION_DAYS. */
export const RETENTION = { activityRetentionDays: 400, webhookRetentionDays: 30 };

/** Number and lengths of the wishlists in a database. */
export interface Shape {
  wishlists: number;
  items: number;
  /** wishlists of exactly 50 items: the ones whose pages are read */
  pages: number;
  /** wishlists of exactly 2,500 items */
  long: number;
}

const PAGES_LENGTH = 50;
const LONG_LENGTH = 2_500;

export const FULL: Shape = { wishlists: 100_000, items: 2_000_000, pages: 10_000, long: 100 };
export const SMALL: Shape = { wishlists: 1_000, items: 20_000, pages: 200, long: 2 };
export const TINY: Shape = { wishlists: 100, items: 2_000, pages: 20, long: 0 };

/**
 * Wishlists that are written to. They are outside `pages` and `long` and share the remaining items. So many that batches of a whole run fill none to
 * the limit of its items.
 */
const WRITERS = 10_000;

// Customers are numbered by a stride that is coprime to every `wishlists` above, which scatters wishlists of the same length.
const STRIDE = 61_803;
const FIRST_CUSTOMER = 7_000_000_000_000;
const GAP = 1_013;

/** Returns the customer id (13 digits) of the wishlist at a rank: `pages` come first, then `long`, then the others. */
function customerAt(shape: Shape, rank: number): string {
  return String(FIRST_CUSTOMER + ((rank * STRIDE) % shape.wishlists) * GAP);
}

function customersFrom(shape: Shape, first: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => customerAt(shape, first + i));
}

export function pageCustomers(shape: Shape): string[] {
  return customersFrom(shape, 0, shape.pages);
}

export function longCustomers(shape: Shape): string[] {
  return customersFrom(shape, shape.pages, shape.long);
}

export function writingCustomers(shape: Shape): string[] {
  const measured = shape.pages + shape.long;
  return customersFrom(shape, measured, Math.min(WRITERS, shape.wishlists - measured));
}

/** Returns SQL for the bulk load of the wishlists, by rank. $1 is the shop. */
export function wishlistsSql({ wishlists, items, pages, long }: Shape): string {
  const rest = wishlists - pages - long;
  const share = items - pages * PAGES_LENGTH - long * LONG_LENGTH;
  return `
    INSERT INTO wishlist (shop_id, owner_kind, owner_id, item_count, version, created_at, updated_at)
    SELECT $1, 'customer', (${FIRST_CUSTOMER} + number * ${GAP})::text, length, length,
           timestamptz '2026-08-01Z', timestamptz '2026-11-01Z'
      FROM (SELECT rank * ${STRIDE} % ${wishlists} AS number,
                   CASE WHEN rank < ${pages} THEN ${PAGES_LENGTH}
                        WHEN rank < ${pages + long} THEN ${LONG_LENGTH}
                        ELSE (rank - ${pages + long} + 1) * ${share} / ${rest}
                           - (rank - ${pages + long}) * ${share} / ${rest} END AS length
              FROM generate_series(0::bigint, ${wishlists - 1}) AS rank) AS w
     ORDER BY number`;
}

/**
 * Bulk load of the items: 20,000 products, saved over 90 days. Rows are stored in the order of saving, so that the items of a wishlist are
 * scattered over the table, as in a real shop.
 */
export const ITEMS_SQL = `
  INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on)
  SELECT $1, id, (8000000000000 + product * 257)::text, (44000000000000 + product * 769)::text, at,
         (at AT TIME ZONE 'UTC')::date
    FROM (SELECT w.id, (w.id * 7 + place * 3) % 20000 AS product,
                 timestamptz '2026-08-03Z' + (w.id * 7919 + place * 104729003) % 7776000000 * interval '1 ms' AS at
            FROM wishlist w, generate_series(0::bigint, w.item_count - 1) AS place
           WHERE w.shop_id = $1) AS i
   ORDER BY at`;
