import type { Failure, FailureCode } from "../../platform/failure.ts";
import { notice, themedPage, type LiquidPage } from "./frame.ts";
import type { Word } from "./words.ts";

/** What shoppers are told, instead of a code. */
const TOLD: Partial<Record<FailureCode, readonly [Word, Word?]>> = {
  share_not_found: ["unknown", "unknown_hint"],
  share_expired: ["expired", "expired_hint"],
  forbidden_origin: ["form_old", "form_old_hint"],
  rate_limited: ["slow_down"],
  service_unavailable: ["failed"],
  internal_error: ["failed"],
};

/** A failure as a page of the store. What a store's pages never lead to stays JSON. */
export function failurePage(failure: Failure): LiquidPage | undefined {
  const told = TOLD[failure.code];
  return told && themedPage(notice(told[0], told[1], "", "h1"), { proxy: "" });
}
