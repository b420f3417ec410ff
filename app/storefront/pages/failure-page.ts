import type { Failure, FailureCode } from "../../platform/failure.ts";
import { themedPage, type LiquidPage } from "./liquid-page.ts";

/** Failures that shoppers can meet on a page; `theme/snippets/page-failure.liquid` has a text for each. */
const SHOWN = new Set<FailureCode>([
  "share_not_found",
  "share_expired",
  "forbidden_origin",
  "login_required",
  "rate_limited",
  "service_unavailable",
  "internal_error",
]);

/**
 * Returns a failure as a page of the store, which no search engine shows, because Shopify's app proxy passes it with status 200 only; undefined for one that no link or form of a page leads to, which stays
 * JSON.
 */
export function failurePage({ code, retryAfter = 1 }: Failure): LiquidPage | undefined {
  if (!SHOWN.has(code)) return undefined;
  const page = themedPage("failure", { proxy: "", level: 1, code, seconds: retryAfter });
  return { ...page, headers: { "X-Robots-Tag": "noindex" } };
}
