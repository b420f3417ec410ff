import { api, followers } from "./api.ts";
import { buttons, listen, nameOf, paint, productPart, refuse, targetOf, wish } from "./buttons.ts";
import { arrive as track, arrived, onChanges, productButtons, unobserved, watch } from "./changes.ts";
import { emit } from "../shared/saved-list.ts";
import { POSTPONED, recall } from "../shared/session.ts";
import { on } from "./dom.ts";
import { customer, preset } from "./globals.ts";
import { openRegion, say } from "./messages.ts";
import { importPart, loadPart, setup } from "./setup.ts";
import { callProxy, change, lookUp, needsService, onChange, open, send, wishlist } from "./wishlist.ts";

/** The most products that the service takes in one request. */
const BATCH = 250;

/** Products that were looked up on this page. */
const lookedUp = new Set<string>();

/** Looks up the products that are not known yet. @param isFirst also gets the count, or merges a guest's list */
async function lookUpNew(some: readonly HTMLElement[], isFirst: boolean): Promise<void> {
  if (!needsService()) return;
  const targets = some
    .map(targetOf)
    .filter((target) => nameOf(target) && lookedUp.size < lookedUp.add(nameOf(target)).size);
  let isNeeded: unknown = isFirst && (wishlist().guest || setup("headerPart"));
  while (isNeeded || targets[0]) {
    await lookUp(targets.splice(0, BATCH));
    isNeeded = false;
  }
}

/** Looks all products of the page up anew. */
function lookUpAgain(): void {
  lookedUp.clear();
  void lookUpNew(buttons(), true);
}

let isFirst = true;

/** Paints new buttons and looks their products up. */
function arrive(fresh: readonly HTMLElement[]): void {
  const some = [...arrived, ...fresh];
  arrived.clear();
  paint(some);
  const done = lookUpNew(some, isFirst);
  if (isFirst) void done.then(resume);
  isFirst = false;
}

/** Loads the part of the script for product cards. @returns whether it will call `arrive` */
function loadCards(): unknown {
  const isNeeded = setup("cardsPart") && document.querySelector('a[href*="/products/"]');
  if (isNeeded) loadPart("cards", () => arrive([]));
  return isNeeded;
}

/** Does what needs the shopper's identity, after the first response, and after a guest's list was merged. */
function resume(): void {
  if (document.querySelector("[data-wishlist-fill]")) loadPart("page");
  if (customer() && recall(POSTPONED)) void importPart("refused").then((handle) => handle?.());
}

/** Loads what shoppers need whom the browser knows: where their record may be stored, and the cart of those who have saved something. */
function loadShoppersParts(): void {
  const { owner, count } = wishlist();
  if (owner) loadPart("privacy");
  if (count) loadPart("cart");
}

function start(): void {
  open(customer());
  window.wishlist = api;
  window.wishlistCore = {
    setup,
    wishlist,
    send,
    change,
    lookUp,
    needsService,
    post: callProxy,
    refuse,
    say,
    wish,
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
    loadShoppersParts();
    if (isAnothers) lookUpAgain();
    // A follower that throws keeps no other one from being called.
    for (const follower of followers) queueMicrotask(follower);
  });
  openRegion();
  listen();
  loadShoppersParts();
  // The shopper may have changed the lists on another device.
  on("visibilitychange", () => document.hidden || lookUpAgain());
  onChanges(() => {
    loadCards();
    // A quick view holds the button of a product page.
    void productPart();
    if (!isFirst) arrive([]);
  });
  watch();
  void productPart();
  loadPart("header");
  if (!loadCards()) arrive([]);
  loadPart("editor");
  emit("ready");
}

if (document.readyState === "loading") on("DOMContentLoaded", start);
else start();
