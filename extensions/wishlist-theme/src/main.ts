import { api } from "./api.ts";
import { buttons, listen, nameOf, paint, targetOf, wish } from "./buttons.ts";
import { arrive as track, arrived, onChanges, productButtons, unobserved, watch } from "./changes.ts";
import { takePostponed } from "./intent.ts";
import { openRegion, sayRefused } from "./message.ts";
import { loadPart, on, setup } from "./page.ts";
import { post } from "./proxy.ts";
import { customer, preset } from "./shopify.ts";
import { isToBeAsked, lookUp, onChange, open, send, wishlist } from "./wishlist.ts";

/** The service takes as many products in one request. */
const AT_ONCE = 250;

/** What may change the chosen variant. Which one it is, the product form says. */
const CHOICES = ["change", "shopify:product:select", "variant:change"] as const;

/** Products that were asked for on this page. */
const asked = new Set<string>();

/** Asks for what is not known yet. @param isFirst also for the count, or to bring a guest's list along */
async function ask(some: readonly HTMLElement[], isFirst: boolean): Promise<void> {
  if (!isToBeAsked()) return;
  const targets = some.map(targetOf).filter((target) => nameOf(target) && asked.size < asked.add(nameOf(target)).size);
  let matters: unknown = isFirst && (wishlist().guest || setup("headerPart"));
  while (matters || targets.length > 0) {
    await lookUp(targets.splice(0, AT_ONCE));
    matters = false;
  }
}

let isFirst = true;

/** Brings buttons that have come up to date, and asks the service about them. */
function arrive(fresh: readonly HTMLElement[]): void {
  const some = [...arrived, ...fresh];
  arrived.clear();
  paint([...some, ...productButtons]);
  const answered = ask(some, isFirst);
  if (isFirst) void answered.then(resume);
  isFirst = false;
}

/** Hearts on cards come with a part of the script of their own. @returns whether that will call `arrive` */
function loadCards(within: ParentNode): boolean {
  const isNeeded = setup("cardsPart") !== "" && within.querySelector('a[href*="/products/"]') !== null;
  if (isNeeded) loadPart("cards", () => arrive([]));
  return isNeeded;
}

function loadProduct(within: ParentNode): void {
  if (setup("productPlace") !== "" || within.querySelector(".whl-product")) loadPart("product");
}

/** What waits until the service has said who is here, and a guest's list has come along after a login. */
function resume(): void {
  if (document.querySelector("[data-wishlist-fill]")) loadPart("page");
  const postponed = customer() && takePostponed();
  if (postponed) void wish(postponed, true);
}

/** Counts what goes into the cart, for those who have saved something. */
function countCart(): void {
  if (setup("cartPart") && wishlist().count > 0) loadPart("cart");
}

function start(): void {
  open(customer());
  globalThis.wishlist = api;
  globalThis.wishlistCore = {
    setup,
    wishlist,
    send,
    post,
    sayRefused,
    onChanges,
    unobserved,
    arrive,
    paint,
    track,
    productButtons,
    preset,
  };
  onChange((isAnothers) => {
    paint();
    countCart();
    if (!isAnothers) return;
    asked.clear();
    void ask(buttons(), true);
  });
  openRegion();
  listen();
  countCart();
  for (const name of CHOICES) on(name, () => paint([...productButtons]));
  onChanges((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        loadCards(node);
        // A quick view brings the button of a product page along.
        loadProduct(node);
      }
    }
    if (!isFirst) arrive([]);
  });
  watch();
  loadProduct(document);
  if (setup("headerPart")) loadPart("header");
  if (!loadCards(document)) arrive([]);
  if (globalThis.Shopify?.designMode) loadPart("editor");
  document.dispatchEvent(new CustomEvent("wishlist:ready"));
}

if (document.readyState === "loading") on("DOMContentLoaded", start);
else start();
