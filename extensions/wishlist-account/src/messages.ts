import type { ErrorCode, List } from "@wishlist-headless/sdk";
import type { Failure } from "./service.ts";
import { t } from "./texts.ts";

/** Keys of the messages for error codes; others have a general message. */
const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  network_error: "errors.offline",
  timed_out: "errors.offline",
  invalid_session_token: "errors.session",
  session_without_customer: "errors.session",
  plan_required: "errors.not_offered",
  alerts_unavailable: "errors.not_offered",
  alert_request_limit: "errors.too_many_alerts",
  list_name_taken: "errors.name_taken",
  list_limit_reached: "errors.too_many_lists",
  wishlist_full: "errors.full",
  list_not_found: "errors.list_gone",
  item_not_found: "errors.item_gone",
};

/** Returns what is wrong and what the customer can do. */
export function messageOf({ code, retryAfter }: Failure): string {
  if (code === "rate_limited") return t("errors.limited", { count: Math.ceil(retryAfter ?? 60) });
  return t(MESSAGES[code] ?? "errors.unavailable");
}

/** Returns the name under which the customer knows a list. */
export function nameOf({ name }: Pick<List, "name">): string {
  return name ?? t("default_list");
}
