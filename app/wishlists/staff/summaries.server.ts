import { z } from "zod";
import { processOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { run, runOne, shopStatement, statement } from "../../platform/database/database.server.ts";
import { withPause } from "../../platform/jobs/retention.server.ts";
import { sendTask, task } from "../../platform/jobs/tasks.server.ts";

// What the admin's index of wishlists filters and sorts by: a row for each list (wishlist_summary). Lists change one by one and are followed by their
// changes; a price or the stock of a variant can change thousands of lists, so those are read by a pass over all lists, each night and when the
// catalog has changed and staff look at the index.

/** Changes or lists of a step. */
const STEP = 200;
/** Steps that a page does itself. More are left to the background. */
const PAGE_STEPS = 4;
/** Milliseconds after which a pass is repeated for staff who look at the index, if the catalog has changed. */
const PASS_MS = 3_600_000;

const stepStatement = shopStatement<{ remaining: boolean }>(
  "wishlist_summary_step",
  "SELECT remaining FROM wishlist_summary_step(p_shop_id => $1, p_limit => $2, p_begin => $3, p_at => $4)",
);

async function step(shopId: number, begin = false): Promise<boolean> {
  return (await runOne(stepStatement, [shopId, STEP, begin, now()])).remaining;
}

const stateStatement = statement<{ complete_at: Date | null; is_outdated: boolean }>(
  "wishlist_summary_state",
  `SELECT s.complete_at, s.pass_after IS NULL AND s.begun_at < $2 AND s.catalog_version < c.version AS is_outdated
     FROM wishlist_summary_state s LEFT JOIN catalog_version c ON c.shop_id = $1 WHERE s.shop_id = $1`,
);

/** How far the summaries are. */
export interface SummaryState {
  /** prices and stock are at least as new; undefined while the first pass has not ended, when lists are missing */
  completeAt: Date | undefined;
  /** whether changes of lists, or lists of a pass, are still to be added */
  isBehind: boolean;
}

/** Adds the shop's last changes to the summaries, or begins to in the background if there are many. */
export async function followChanges(shopId: number): Promise<SummaryState> {
  await processOutbox(shopId);
  let isBehind = true;
  for (let steps = 0; isBehind && steps < PAGE_STEPS; steps++) isBehind = await step(shopId);
  const [state] = await run(stateStatement, [shopId, new Date(now().getTime() - PASS_MS)]);
  const isOutdated = state?.is_outdated === true;
  if (isOutdated || isBehind) await sendTask(summaryTask, { shopId, begin: isOutdated }, { key: String(shopId) });
  return { completeAt: state?.complete_at ?? undefined, isBehind };
}

/** Brings the summaries of all lists up to date, in steps with pauses. An interrupted pass goes on where it ended. */
async function runPass(shopId: number, begin: boolean, signal?: AbortSignal): Promise<void> {
  let first = begin;
  for (let isBehind = true; isBehind; first = false) {
    signal?.throwIfAborted();
    ({ result: isBehind } = await withPause(
      () => step(shopId, first),
      (isStillBehind) => !isStillBehind,
    ));
  }
}

/** The nightly pass over a shop's lists. A shop whose staff never look at the index has none. */
export async function summarizeLists(shopId: number): Promise<void> {
  const [state] = await run(stateStatement, [shopId, now()]);
  if (state) await runPass(shopId, true);
}

export const summaryTask = task(
  "wishlist-summaries",
  z.object({ shopId: z.int(), begin: z.boolean() }),
  ({ shopId, begin }, signal) => runPass(shopId, begin, signal),
  { exclusive: true, concurrency: 2 },
);
