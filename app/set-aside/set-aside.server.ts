import { z } from "zod";
import { AdminApiError } from "../admin-api/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, shopStatement, statement } from "../platform/database/database.server.ts";
import { databaseMessageOf, sqlStateOf } from "../platform/database/errors.server.ts";
import { log } from "../platform/log/log.server.ts";
import { gauge, sharedReading } from "../platform/metrics/metrics.server.ts";

// An order or a product that can't be stored must not keep the others from it: it is set aside with its reason. So is a change of a wishlist that
// the outbox processor can't process, by `outbox_process`.

const KINDS = ["change", "order", "product"] as const;
type Kind = (typeof KINDS)[number];

/** Milliseconds for which scrapes share a reading: it needs all shops. */
const FRESH_MS = 60_000;

const setAsideStatement = shopStatement<Record<string, never>>(
  "set_aside",
  `INSERT INTO set_aside (shop_id, kind, subject_id, reason, at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (shop_id, kind, subject_id) DO UPDATE SET reason = EXCLUDED.reason, at = EXCLUDED.at`,
);

/** Records that an order or a product of the store could not be stored. */
export async function setAside(
  shopId: number,
  kind: Exclude<Kind, "change">,
  id: string,
  reason: string,
): Promise<void> {
  log.error({ shopId, reason }, `the ${kind} ${id} of the store can't be stored; it is set aside`);
  await run(setAsideStatement, [shopId, kind, id, reason.slice(0, 500), now()]);
}

/** SQLSTATE classes of values that a table does not take. */
const BAD_DATA = /^2[23]/;

/** Returns why one order or product can't be stored; undefined for an error that has nothing to do with it, such as an unavailable database. */
function reasonToSetAside(error: unknown): string | undefined {
  if (error instanceof z.ZodError) return `unexpected response: ${error.message}`;
  if (error instanceof AdminApiError) return error.cause instanceof z.ZodError ? error.message : undefined;
  return BAD_DATA.test(sqlStateOf(error)) ? databaseMessageOf(error) : undefined;
}

/** Runs the work of one order or product. @returns the reason to set it aside; undefined when it succeeded */
export async function ofOne(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const reason = reasonToSetAside(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/** Unscoped: what was set aside in all shops. */
const countsStatement = statement<{ kind: Kind; count: number }>(
  "set_aside_counts",
  "SELECT kind, count(*) AS count FROM set_aside GROUP BY kind",
);

export type SetAsideCounts = Record<Kind, number>;

/** Counts what is set aside, over all shops. */
export async function readSetAside(): Promise<SetAsideCounts> {
  const counts = { change: 0, order: 0, product: 0 };
  for (const { kind, count } of await run(countsStatement, [])) counts[kind] = count;
  return counts;
}

const sharedCounts = sharedReading(FRESH_MS, readSetAside);

gauge(
  "set_aside",
  "Changes of wishlists that could not be processed, orders and products of stores that could not be stored",
  { kind: KINDS },
  async () => {
    const counts = await sharedCounts();
    return counts && Object.entries(counts).map(([kind, value]) => ({ labels: { kind }, value }));
  },
);
