import { wrongRollups, type RunSql } from "../../support/app/audit.ts";
import { client, type Target } from "../../support/app/client.ts";
import { until } from "../../support/until.ts";
import { doubledEvents } from "../../support/webhooks/doubled-events.ts";
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
  /** changes of which several events arrived */
  doubled: string[];
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
async function lostWrites(ledger: Ledger, target: Target): Promise<string[]> {
  const call = client(target);
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

/** Returns the events of this scenario that arrived at the receivers of the shops. */
function eventsOf(ledger: Ledger, shops: readonly Shop[]) {
  const arrivals: { change: string; id: string }[] = [];
  const latest = new Map<string, number>();
  let repeated = 0;
  let reordered = 0;
  for (const { receiver } of shops) {
    for (const { id, event, customerId, productId = "", changedAt, repeats } of receiver.arrivals.values()) {
      if (!customerId.startsWith(`${ledger.prefix}-`)) continue;
      arrivals.push({ change: `${event} ${name(customerId, productId)}`, id });
      repeated += repeats;
      const before = latest.get(customerId) ?? 0;
      if (changedAt < before) reordered++;
      latest.set(customerId, Math.max(before, changedAt));
    }
  }
  return { arrivals, repeated, reordered };
}

function expectedEvents({ customers }: Ledger): string[] {
  return customers.flatMap(({ id, added, removed, shared }) => [
    ...added.map((product) => `wishlist.item.added ${name(id, product)}`),
    ...[...removed].map((product) => `wishlist.item.removed ${name(id, product)}`),
    ...(shared === "yes" ? [`wishlist.shared ${name(id, "")}`] : []),
  ]);
}

async function rollupsOf(rows: RunSql, shops: readonly Shop[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id, name: shop } of shops) {
    for (const rollup of await wrongRollups(rows, id)) wrong.push(`${shop}: ${rollup}`);
  }
  return wrong;
}

/** Compares what was acknowledged with the API, the database and the receivers. The outbox and the queue must be empty. */
export async function check(
  ledger: Ledger,
  { target, rows, shops }: { target: Target; rows: Rows; shops: readonly Shop[] },
): Promise<Verdict> {
  const { arrivals, repeated, reordered } = eventsOf(ledger, shops);
  const arrived = new Set(arrivals.map(({ change }) => change));
  const events = expectedEvents(ledger);
  return {
    acknowledged: ledger.acknowledged,
    lost: await lostWrites(ledger, target),
    miscounted: await miscountedActivity(ledger, rows, shops),
    events: events.length,
    missing: events.filter((event) => !arrived.has(event)),
    doubled: doubledEvents(arrivals),
    repeated,
    reordered,
    rollups: await rollupsOf(rows, shops),
    staleReads: ledger.staleReads,
    unresolved: ledger.customers.reduce(
      (sum, { unknown, shared }) => sum + unknown.size + (shared === "unknown" ? 1 : 0),
      0,
    ),
  };
}
