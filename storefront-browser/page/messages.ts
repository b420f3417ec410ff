import { create } from "../shared/create.ts";
import { show } from "../shared/message.ts";
import { find } from "./dom.ts";
import { Refusal } from "./requests.ts";
import { CartRefusal } from "./cart.ts";

/** Failures after which the page belongs to another shopper, or to a store that keeps lists for customers only. */
const OUTDATED = ["login_required", "guest_merged", "guest_lists_off"];

/** Shows a message, also to screen readers. @param more a link or button to go on with */
export function say(root: HTMLElement, message: string, more?: HTMLElement): void {
  const status = find(root, "[data-wishlist-status]");
  const hadFocus = status.contains(document.activeElement);
  show(status, message, more);
  if (hadFocus) more?.focus();
}

/** Says to screen readers alone what the page shows. */
export function describe(root: HTMLElement, change: string): void {
  find(root, "[data-wishlist-live]").textContent = change;
}

/** Tells the shopper that something failed. @param again repeats it, where the page offers no other way */
export function fail(root: HTMLElement, error: unknown, again?: () => void): void {
  const { code, wait } = error instanceof Refusal ? error : { code: "", wait: "" };
  if (OUTDATED.includes(code)) {
    location.reload();
    return;
  }
  const { sayFailed = "", sayNotLoaded = "", saySlowDown = "", sayFull = "" } = root.dataset;
  const { saySharingOff = "", sayGoneProduct = "", sayAgain = "", sayOffline = "" } = root.dataset;
  const known = new Map([
    ["rate_limited", saySlowDown.replace("[n]", wait)],
    ["wishlist_full", sayFull],
    ["plan_required", saySharingOff],
    ["product_not_found", sayGoneProduct],
  ]);
  const failed = again ? sayNotLoaded : sayFailed;
  const reason = error instanceof CartRefusal ? error.message : navigator.onLine ? failed : sayOffline;
  // A double click repeats it once: a second try begins with the next message.
  say(root, known.get(code) ?? reason, again && buttonFor(sayAgain, again, { once: true }));
}

export function buttonFor(label: string, act: () => void, options?: AddEventListenerOptions): HTMLButtonElement {
  const button = create("button", { type: "button", className: "wl-link", textContent: label });
  button.addEventListener("click", act, options);
  return button;
}
