import { wakeOutbox } from "../../activity/index.server.ts";
import { now, nowMs } from "../../platform/clock.server.ts";
import { sha256 } from "../../platform/encryption/crypto.server.ts";
import { run, runOne, shopStatement } from "../../platform/database/database.server.ts";
import type { Failure } from "../../platform/failure.ts";
import { log } from "../../platform/log/log.server.ts";
import { withPause, purge } from "../../platform/jobs/retention.server.ts";
import type { Owner } from "../owner.ts";
import { refusal } from "../refusals.server.ts";

/** Guests per transaction of the purge. */
const PURGE_BATCH = 100;

/**
 * Returns a guest as an owner. Only the hash of the browser's id is stored: the id is the guest's only credential, so read access to the
 * database must not reveal it.
 */
export function guestOwner(shopId: number, guestId: string): Owner {
  return { shopId, kind: "guest", id: sha256(guestId).toString("base64url") };
}

export interface MergedGuest {
  /** items that were not in the customer's wishlist before */
  addedCount: number;
  itemCount: number;
}

const mergeStatement = shopStatement<{ merged: boolean; added_count: number; count_after: number }>(
  "wishlist_merge_guest",
  "SELECT merged, added_count, count_after FROM wishlist_merge_guest(p_shop_id => $1, p_guest_id => $2, p_customer_id => $3, p_at => $4)",
);

/**
 * Merges a guest's list into a customer's at login, exactly once, however many tabs request it. After that the guest id is invalid: a write
 * under it is refused with `guest_merged`.
 * @returns `wishlist_full` when the lists together exceed the cap; then nothing is changed
 */
export async function mergeGuest(guest: Owner, customer: Owner): Promise<MergedGuest | Failure> {
  try {
    const row = await runOne(mergeStatement, [customer.shopId, guest.id, customer.id, now()]);
    if (row.merged) wakeOutbox(customer.shopId);
    return { addedCount: row.added_count, itemCount: row.count_after };
  } catch (error) {
    return refusal(error);
  }
}

const touchStatement = shopStatement<Record<string, never>>(
  "guest_touch",
  "SELECT guest_touch(p_shop_id => $1, p_guest_id => $2, p_at => $3)",
);

/** Records that a guest's list is in use although it does not change, so that it is not purged. Writes at most once a day. */
export async function recordGuestUse(guest: Owner): Promise<void> {
  await run(touchStatement, [guest.shopId, guest.id, now()]).catch((error: unknown) => {
    log.warn({ err: error }, "could not record the use of a guest's list");
  });
}

const purgeStatement = shopStatement<{ purged_count: number; next_after: string | null }>(
  "guest_purge",
  "SELECT purged_count, next_after FROM guest_purge(p_shop_id => $1, p_before => $2, p_after => $3, p_limit => $4, p_at => $5)",
);

const purgeMerged = purge("merged_guest", { key: "merged_at", type: "timestamptz" });

/** Purges the counts of new guests by address and network of the hours before a time. */
export const purgeGuestOrigins = purge("guest_origin_hour", { key: "hour", type: "timestamptz" });

/** Purges guests' lists that were last used before a time, and the records of guests whose lists were merged before it. */
export async function purgeGuests(shopId: number, before: Date): Promise<void> {
  for (let after: string | null = ""; after !== null;) {
    const parameters: unknown[] = [shopId, before, after, PURGE_BATCH, now()];
    const { result } = await withPause(
      () => runOne(purgeStatement, parameters),
      ({ next_after }) => next_after === null,
    );
    if (result.purged_count > 0) wakeOutbox(shopId);
    after = result.next_after;
  }
  await purgeMerged(shopId, before);
}

/** Milliseconds for which the use of a guest's list is not recorded again. */
const GUEST_USE_RESOLUTION = 24 * 3_600_000;

/** Returns SQL for whether the wishlist `w` belongs to a guest and its recorded use is older than the statement's parameter. */
export function guestUseOutdated(since: string): string {
  return `w.owner_kind = 'guest' AND w.updated_at < ${since}`;
}

export function guestUseThreshold(): Date {
  return new Date(nowMs() - GUEST_USE_RESOLUTION);
}
