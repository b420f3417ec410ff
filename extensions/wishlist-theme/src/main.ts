import { buttons, listen, nameOf, paint, targetOf } from "./buttons.ts";
import { decorate } from "./cards.ts";
import { followCart } from "./cart.ts";
import { fillPage } from "./contents.ts";
import { addCounter } from "./counter.ts";
import { every, on, setup } from "./page.ts";
import { customer } from "./shopify.ts";
import { followVariants, readAddress } from "./variants.ts";
import { isToBeAsked, lookUp, onChange, open, wishlist } from "./wishlist.ts";

/** The service takes as many products in one request. */
const AT_ONCE = 250;

/** Products that were asked for on this page. */
const asked = new Set<string>();

/** Brings everything up to date with the page's elements. */
function scan(): void {
  decorate();
  readAddress();
  paint();
}

/** Asks for what is not known yet. */
async function ask(isFirst: boolean): Promise<void> {
  if (isToBeAsked()) await lookUpAll(isFirst);
  // After a login the page is asked for once the guest's list has come along.
  await fillPage();
}

/** The first time also for the count, or to bring a guest's list along. */
async function lookUpAll(isFirst: boolean): Promise<void> {
  const targets = buttons()
    .map(targetOf)
    .filter((target) => nameOf(target) && asked.size < asked.add(nameOf(target)).size);
  let matters: unknown = isFirst && (wishlist().guest || every("[data-wishlist-count]")[0]);
  while (matters || targets.length > 0) {
    await lookUp(targets.splice(0, AT_ONCE));
    matters = false;
  }
}

function start(): void {
  open(customer());
  onChange((isAnothers) => {
    paint();
    if (isAnothers) {
      asked.clear();
      void ask(true);
    }
  });
  listen();
  addCounter();
  scan();
  followVariants();
  void ask(true);
  if (setup("cart")) followCart();

  let isWaiting = false;
  new MutationObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    const task = (): void => {
      isWaiting = false;
      scan();
      void ask(false);
    };
    // Safari has no idle time to give.
    ("requestIdleCallback" in globalThis ? requestIdleCallback : setTimeout)(task);
  }).observe(document.body, { childList: true, subtree: true });
}

if (document.readyState === "loading") on("DOMContentLoaded", start);
else start();
