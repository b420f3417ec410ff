import { sqlStateOf } from "../platform/database-errors.server.ts";
import { Failure } from "../platform/failure.ts";
import { WISHLIST_FAILURES } from "./failures.ts";

/** SQLSTATEs with which the functions of the database refuse a change; it has changed nothing then. */
const REFUSALS: Record<string, () => Failure> = {
  WL001: wishlistFull,
  WL002: () =>
    new Failure("guest_folded", "This guest has logged in since, and the list is the account's. Make a new guest id."),
};

export function wishlistFull(): Failure {
  return new Failure("wishlist_full", WISHLIST_FAILURES.wishlist_full.message);
}

const HOUR_MS = 3_600_000;

/** The shop's ceiling for new guests is reached; the next hour (UTC) has one of its own. */
export function tooManyGuests(at: Date): Failure {
  const wait = Math.ceil((HOUR_MS - (at.getTime() % HOUR_MS)) / 1000);
  return new Failure(
    "rate_limited",
    `This shop has had too many new guests within the hour. Log in, or try again in ${wait} s.`,
    { retryAfter: wait },
  );
}

/**
 * What the database says when it refuses a change, as the caller is told.
 * @throws the error when it is no refusal
 */
export function refusal(error: unknown): Failure {
  const refused = REFUSALS[sqlStateOf(error)];
  if (!refused) throw error;
  return refused();
}
