import { sqlStateOf } from "../platform/database-errors.server.ts";
import { Failure } from "../platform/failure.ts";
import { WISHLIST_FAILURES } from "./failures.ts";

/** SQLSTATEs with which the database's functions refuse a change without changing anything. */
const REFUSALS: Record<string, () => Failure> = {
  WL001: wishlistFull,
  WL002: () =>
    new Failure(
      "guest_folded",
      "This guest has logged in, and the list was merged into the customer's. Create a new guest id.",
    ),
};

export function wishlistFull(): Failure {
  return new Failure("wishlist_full", WISHLIST_FAILURES.wishlist_full.message);
}

const HOUR_MS = 3_600_000;

/** Returns the failure for a shop that has reached its limit of new guests in this hour (UTC). */
export function tooManyGuests(at: Date): Failure {
  const wait = Math.ceil((HOUR_MS - (at.getTime() % HOUR_MS)) / 1000);
  return new Failure(
    "rate_limited",
    `This shop has too many new guests this hour. Log in, or try again in ${wait} s.`,
    { retryAfter: wait },
  );
}

/**
 * Returns the failure for an error with which the database refused a change.
 * @throws the error itself when it is not a refusal
 */
export function refusal(error: unknown): Failure {
  const toFailure = REFUSALS[sqlStateOf(error)];
  if (!toFailure) throw error;
  return toFailure();
}
