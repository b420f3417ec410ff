// What follows when the service refuses a request: a message and, when the shopper must log in, saving the product after the login.
import { isFields, text, type Fields } from "../../shared/checked.ts";
import type { Target } from "../../shared/saved-list.ts";
import { POSTPONED, recall, remember } from "../../shared/session.ts";

const { say, setup, wish } = wishlistCore;

/** A response that refuses a request. */
interface Refusal {
  /** the service's; without members when there was no response */
  error: Fields;
  /** the product that the shopper wanted to save */
  target?: Target | undefined;
}

/** Shows why the service refused a request: the text for its status, or the one for all others. */
function sayRefused(status: number, seconds: string): void {
  const message = (setup(`on-${status}`) || setup(navigator.onLine ? "failed" : "offline")).replace(
    "[seconds]",
    seconds,
  );
  // The login of Shopify's customer accounts has a query that names the page to return to.
  const login = setup("login");
  const back = login.includes("?") ? "" : `?return_url=${encodeURIComponent(location.pathname + location.search)}`;
  say(message, status === 403 ? login + back : "", setup("loginLabel"));
}

/** Only this part writes the key. */
function isTarget(value: unknown): value is Target {
  return isFields(value);
}

/** @param refusal undefined after a login that a refusal has asked for */
export default function handleRefusal(refusal?: Refusal): void {
  if (refusal) {
    const { error, target } = refusal;
    const status = Number(error["status"]);
    if (target && status === 403) remember(POSTPONED, JSON.stringify(target));
    sayRefused(status, text(error["retryAfter"]));
  } else {
    const postponed: unknown = JSON.parse(recall(POSTPONED) || "0");
    remember(POSTPONED, "");
    if (isTarget(postponed)) void wish(postponed, true);
  }
}
