import type { Failure, FailureCode } from "../../platform/failure.ts";
import { notice, themedPage, type LiquidPage } from "./frame.ts";
import { logInButton } from "./log-in.ts";
import { word, wordWith, type Word } from "./words.ts";

/** Forms, which alone can be too old, go to a path below the wishlist's. */
const wishlistLink = `<a class="wl-button button" href="..">${word("title")}</a>`;

/** What shoppers are told, instead of a code, and where to go on. */
const TOLD: Partial<Record<FailureCode, readonly [lead: Word, hint?: Word, link?: string]>> = {
  share_not_found: ["unknown", "unknown_hint"],
  share_expired: ["expired", "expired_hint"],
  forbidden_origin: ["form_old", "form_old_hint", wishlistLink],
  login_required: ["logged_out", "logged_out_hint", logInButton],
  service_unavailable: ["failed"],
  internal_error: ["failed"],
};

/** A failure as a page of the store. What a store's pages never lead to stays JSON. */
export function failurePage(failure: Failure): LiquidPage | undefined {
  const { code, retryAfter = 1 } = failure;
  if (code === "rate_limited") return page(wordWith("slow_down", { n: retryAfter }));
  const [lead, hint, link] = TOLD[code] ?? [];
  return lead && page(word(lead), { ...(hint && { hint: word(hint) }), ...(link && { link }) });
}

function page(lead: string, more: { hint?: string; link?: string } = {}): LiquidPage {
  return themedPage(notice(lead, { ...more, tag: "h1" }), { proxy: "" });
}
