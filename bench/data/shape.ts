/** How many wishlists a database holds, and of which lengths. */
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

/** Wishlists that are written to. They belong to the rest, which share what `pages` and `long` leave of the items. */
const WRITERS = 2_000;

// Customers are numbered by a stride that is coprime to every `wishlists` above, so that those of one length lie scattered.
const STRIDE = 61_803;
const FIRST_CUSTOMER = 7_000_000_000_000;
const GAP = 1_013;

/** The customer id, 13 digits, of the wishlist at a rank: first come those of `pages`, then `long`, then the rest. */
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

/** Bulk load of the wishlists, by rank. $1 is the shop. */
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
 * Bulk load of the items: products out of 20,000, saved over 90 days. They are stored in the order in which they were saved, so that
 * the items of a wishlist lie apart as they would in a shop.
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
