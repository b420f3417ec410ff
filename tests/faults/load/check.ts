import { client } from "../../support/app/client.ts";
import { until } from "../../support/until.ts";
import type { Shop } from "../rig/shops.ts";
import type { Customer, Ledger } from "./ledger.ts";

type Rows = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

export interface Verdict {
  acknowledged: number;
  /** acknowledged writes that the API does not return */
  lost: string[];
  /** acknowledged writes with another number of rows in `activity` than one */
  miscounted: string[];
  /** events that acknowledged writes must have sent */
  events: number;
  missing: string[];
  /** arrivals of an event after its first */
  repeated: number;
  /** events that arrived after a later change to the same list */
  reordered: number;
  /** rollups that differ from a recount */
  rollups: string[];
  staleReads: string[];
  /** operations that never got a response */
  unresolved: number;
}

const name = (customer: string, product: string): string => `${customer} ${product}`;

/** Compares the lists that the API returns with the acknowledged writes. */
async function lostWrites(ledger: Ledger, webUrl: string): Promise<string[]> {
  const call = client(webUrl);
  const lost: string[] = [];
  const compare = async (customer: Customer): Promise<void> => {
    const { id, shop, added, removed, unknown } = customer;
    if (added.length === 0) return;
    const response = await until(`the list of ${id}`, async () => {
      const read = await call("GET", `/v1/wishlists/${id}?limit=200`, { token: shop.token });
      return read.status !== 503 && read;
    });
    const { items } = response.data<{ items: { productId: string }[] }>();
    const found = new Set(items.map(({ productId }) => productId));
    for (const product of added) {
      if (unknown.has(product)) continue;
      if (found.has(product) === removed.has(product)) lost.push(name(id, product));
    }
  };
  const waiting = ledger.customers.values();
  const worker = async (): Promise<void> => {
    for (const customer of waiting) await compare(customer);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return lost;
}

async function miscountedActivity(ledger: Ledger, rows: Rows, shops: readonly Shop[]): Promise<string[]> {
  const counts = new Map<string, number>();
  const found = await rows(
    `SELECT owner_id, kind, coalesce(product_id, '') AS product, count(*)::int AS n FROM activity
      WHERE shop_id = ANY ($1) AND owner_id LIKE $2 GROUP BY 1, 2, 3`,
    [shops.map(({ id }) => id), `${ledger.prefix}-%`],
  );
  for (const { owner_id, kind, product, n } of found) {
    counts.set([kind, owner_id, product].map(String).join(" "), Number(n));
  }
  const miscounted: string[] = [];
  const expectOne = (key: string): void => {
    const count = counts.get(key) ?? 0;
    if (count !== 1) miscounted.push(`${key}: ${count}`);
  };
  for (const { id, added, removed, shared } of ledger.customers) {
    for (const product of added) expectOne(`added ${name(id, product)}`);
    for (const product of removed) expectOne(`removed ${name(id, product)}`);
    if (shared === "yes") expectOne(`shared ${name(id, "")}`);
  }
  return miscounted;
}

/** Returns the arrivals of each change at a shop's receiver. */
function eventsOf(ledger: Ledger, shops: readonly Shop[]) {
  const arrived = new Set<string>();
  const latest = new Map<string, number>();
  let repeated = 0;
  let reordered = 0;
  for (const { receiver } of shops) {
    for (const { event, customerId, productId = "", changedAt, repeats } of receiver.arrivals.values()) {
      if (!customerId.startsWith(`${ledger.prefix}-`)) continue;
      arrived.add(`${event} ${name(customerId, productId)}`);
      repeated += repeats;
      const before = latest.get(customerId) ?? 0;
      if (changedAt < before) reordered++;
      latest.set(customerId, Math.max(before, changedAt));
    }
  }
  return { arrived, repeated, reordered };
}

function expectedEvents({ customers }: Ledger): string[] {
  return customers.flatMap(({ id, added, removed, shared }) => [
    ...added.map((product) => `wishlist.item.added ${name(id, product)}`),
    ...[...removed].map((product) => `wishlist.item.removed ${name(id, product)}`),
    ...(shared === "yes" ? [`wishlist.shared ${name(id, "")}`] : []),
  ]);
}

const RECOUNTS: Record<string, string> = {
  "number of items in a wishlist": `SELECT 1 FROM wishlist w WHERE w.shop_id = $1
     AND w.item_count <> (SELECT count(*) FROM wishlist_item i WHERE i.shop_id = $1 AND i.wishlist_id = w.id)`,
  "saved items of a product": `SELECT 1 FROM (SELECT product_id, count(*) AS n FROM wishlist_item WHERE shop_id = $1 GROUP BY 1) i
     FULL JOIN (SELECT product_id, wishlist_count AS n FROM product_stats WHERE shop_id = $1) s USING (product_id)
     WHERE coalesce(i.n, 0) <> coalesce(s.n, 0)`,
  "saved items of a variant": `SELECT 1 FROM (SELECT product_id, variant_id, count(*) AS n FROM wishlist_item WHERE shop_id = $1 GROUP BY 1, 2) i
     FULL JOIN (SELECT product_id, variant_id, wishlist_count AS n FROM variant_stats WHERE shop_id = $1) s USING (product_id, variant_id)
     WHERE coalesce(i.n, 0) <> coalesce(s.n, 0)`,
  "changes of a day": `SELECT 1 FROM (SELECT day, count(*) FILTER (WHERE kind = 'added') AS added, count(*) FILTER (WHERE kind = 'removed') AS removed
       FROM activity WHERE shop_id = $1 GROUP BY 1) a
     FULL JOIN (SELECT day, items_added AS added, items_removed AS removed FROM daily_stats WHERE shop_id = $1) s USING (day)
     WHERE coalesce(a.added, 0) <> coalesce(s.added, 0) OR coalesce(a.removed, 0) <> coalesce(s.removed, 0)`,
  "changes of a product and day": `SELECT 1 FROM (SELECT product_id, day, count(*) FILTER (WHERE kind = 'added') AS added FROM activity
       WHERE shop_id = $1 AND product_id IS NOT NULL GROUP BY 1, 2) a
     FULL JOIN (SELECT product_id, day, items_added AS added FROM product_daily WHERE shop_id = $1) s USING (product_id, day)
     WHERE coalesce(a.added, 0) <> coalesce(s.added, 0)`,
  "active shoppers of a day": `SELECT 1 FROM (SELECT day, count(DISTINCT owner_id) AS n FROM activity WHERE shop_id = $1 GROUP BY 1) a
     FULL JOIN (SELECT day, unique_shoppers AS n FROM daily_stats WHERE shop_id = $1) s USING (day)
     WHERE coalesce(a.n, 0) < coalesce(s.n, 0)`,
};

async function wrongRollups(rows: Rows, shops: readonly Shop[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id, name: shop } of shops) {
    for (const [title, sql] of Object.entries(RECOUNTS)) {
      const found = await rows(sql, [id]);
      if (found.length > 0) wrong.push(`${shop}: ${title} (${found.length})`);
    }
  }
  return wrong;
}

/** Compares what was acknowledged with the API, the database and the receivers. The outbox and the queue must be empty. */
export async function check(
  ledger: Ledger,
  { webUrl, rows, shops }: { webUrl: string; rows: Rows; shops: readonly Shop[] },
): Promise<Verdict> {
  const { arrived, repeated, reordered } = eventsOf(ledger, shops);
  const events = expectedEvents(ledger);
  return {
    acknowledged: ledger.acknowledged,
    lost: await lostWrites(ledger, webUrl),
    miscounted: await miscountedActivity(ledger, rows, shops),
    events: events.length,
    missing: events.filter((event) => !arrived.has(event)),
    repeated,
    reordered,
    rollups: await wrongRollups(rows, shops),
    staleReads: ledger.staleReads,
    unresolved: ledger.customers.reduce(
      (sum, { unknown, shared }) => sum + unknown.size + (shared === "unknown" ? 1 : 0),
      0,
    ),
  };
}
