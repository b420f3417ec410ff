import { nowMs } from "../../platform/clock.server.ts";

/** Milliseconds for which the use of a guest's list is not recorded again. */
const GUEST_USE_RESOLUTION = 24 * 3_600_000;

/** Returns SQL for whether the wishlist `w` belongs to a guest and its recorded use is older than the statement's parameter. */
export function guestUseOutdated(since: string): string {
  return `w.owner_kind = 'guest' AND w.updated_at < ${since}`;
}

export function guestUseThreshold(): Date {
  return new Date(nowMs() - GUEST_USE_RESOLUTION);
}
