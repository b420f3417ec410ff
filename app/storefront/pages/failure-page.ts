import type { Failure, FailureCode } from "../../platform/failure.ts";
import { notice, themedPage, type LiquidPage } from "./frame.ts";
import { logInLink } from "./log-in.ts";
import { word, wordWith, type Word } from "./words.ts";

/** What shoppers are told, instead of a code. */
const TOLD: Partial<Record<FailureCode, readonly [Word, Word?]>> = {
  share_not_found: ["unknown", "unknown_hint"],
  share_expired: ["expired", "expired_hint"],
  forbidden_origin: ["form_old", "form_old_hint"],
  login_required: ["logged_out", "logged_out_hint"],
  service_unavailable: ["failed"],
  internal_error: ["failed"],
};

/** A failure as a page of the store. What a store's pages never lead to stays JSON. */
export function failurePage(failure: Failure): LiquidPage | undefined {
  const { code, retryAfter = 1 } = failure;
  if (code === "rate_limited") return page(wordWith("slow_down", { n: retryAfter }));
  const [lead, hint] = TOLD[code] ?? [];
  if (lead === undefined) return undefined;
  return page(word(lead), hint && word(hint), code === "login_required" ? `<p>${logInLink}</p>` : "");
}

function page(lead: string, hint = "", more = ""): LiquidPage {
  return themedPage(notice(lead, { hint, more, tag: "h1" }), { proxy: "" });
}
