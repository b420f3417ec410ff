import { nowMs } from "../platform/clock.server.ts";
import { databaseMessageOf, sqlStateOf } from "../platform/database/errors.server.ts";
import { Failure } from "../platform/failure.ts";
import { WISHLIST_FAILURES } from "./failures.ts";

/** The most lists of an owner, the default list included. */
export const MAX_LISTS = 50;

/** SQLSTATEs with which the database's functions refuse a change without changing anything. `item` is where the request names the item in question. */
const REFUSALS: Record<string, (item: string | undefined) => Failure> = {
  WL001: wishlistFull,
  WL002: () => new Failure("guest_merged", WISHLIST_FAILURES.guest_merged.message),
  WL003: listNotFound,
  WL004: listNameTaken,
  WL005: listLimitReached,
  WL007: (item) =>
    item === undefined
      ? new Failure("item_not_found", WISHLIST_FAILURES.item_not_found.message)
      : itemFailure("item_not_found", item, "names an item that the list does not have"),
  WL008: () => new Failure("version_not_found", WISHLIST_FAILURES.version_not_found.message),
  WL009: () => new Failure("version_expired", WISHLIST_FAILURES.version_expired.message),
  WL010: (item = "body") =>
    itemFailure("invalid_request", item, "needs a variant, because the product is saved in several variants"),
  // Staff, and shoppers who take a change back without JavaScript, name the version that they have seen.
  WL011: () =>
    new Failure(
      "invalid_request",
      "The list has changed since you opened this page. Check what a restore changes now.",
    ),
  WL012: () => tooManyGuests("This shop has too many new guests this hour."),
  WL013: () => tooManyGuests("Too many new guests came from your network this hour."),
};

function itemFailure(code: "item_not_found" | "invalid_request", path: string, problem: string): Failure {
  return new Failure(code, `${path} ${problem}. Nothing was changed.`, { details: [{ path, problem }] });
}

export function listNotFound(): Failure {
  return new Failure("list_not_found", WISHLIST_FAILURES.list_not_found.message);
}

export function listNameTaken(): Failure {
  return new Failure("list_name_taken", WISHLIST_FAILURES.list_name_taken.message);
}

export function listLimitReached(): Failure {
  return new Failure("list_limit_reached", WISHLIST_FAILURES.list_limit_reached.message, {
    details: { limit: MAX_LISTS },
  });
}

export function wishlistFull(): Failure {
  return new Failure("wishlist_full", WISHLIST_FAILURES.wishlist_full.message);
}

const HOUR_MS = 3_600_000;

/** Returns the failure for a limit of new guests in this hour (UTC). */
function tooManyGuests(problem: string): Failure {
  const wait = Math.ceil((HOUR_MS - (nowMs() % HOUR_MS)) / 1000);
  return new Failure("rate_limited", `${problem} Log in, or try again in ${wait} s.`, { retryAfter: wait });
}

/**
 * Returns the failure for an error with which the database refused a change.
 * @param items where the request has its items, such as "body.operations", if it has several
 * @throws the error itself when it is not a refusal
 */
export function refusal(error: unknown, items?: string): Failure {
  const toFailure = REFUSALS[sqlStateOf(error)];
  if (!toFailure) throw error;
  const index = /at place (\d+)$/.exec(databaseMessageOf(error))?.[1];
  return toFailure(items === undefined || index === undefined ? undefined : `${items}[${index}]`);
}
