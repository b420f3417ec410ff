// Saves items of a list that somebody shares in the reader's own list.
import { fields, list, text, type Fields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { newGuest } from "../shared/new-guest.ts";
import { include, read, write } from "../shared/saved-list.ts";
import { cardOf, rootOf, titleOf } from "./dom.ts";
import { itemOf } from "./items.ts";
import { fail, say } from "./messages.ts";
import { keep, lookUp, mark } from "./owned-list.ts";
import { call } from "./requests.ts";

function heartsOf(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("[data-wishlist-save]")];
}

/** Shows which items the reader has already saved. A new guest has none. */
export async function showSaved(root: HTMLElement): Promise<void> {
  if (root.dataset["reader"] === "guest" && !read().guest) return;
  const productIds = heartsOf(root).map((heart) => itemOf(cardOf(heart)).productId);
  if (productIds.length === 0) return;
  const { saved } = await call(root, "saved", { productIds: [...new Set(productIds)] }).catch((): Fields => ({}));
  const found = list(saved).map(fields);
  for (const heart of heartsOf(root)) {
    const { productId, variantId } = itemOf(cardOf(heart));
    const product = found.find((one) => one["productId"] === productId);
    if (list(product?.["variantIds"]).includes(variantId)) fill(heart);
  }
}

function fill(heart: HTMLElement): void {
  heart.classList.add("wl-on");
  heart.ariaLabel = (heart.dataset["sayNamed"] ?? "").replace("[title]", () => titleOf(cardOf(heart)));
}

/** Shows what the browser knows to be saved: of a long list, only the newest items are saved at once. */
function showStored(root: HTMLElement): void {
  const { saved } = read();
  for (const heart of heartsOf(root)) {
    const { productId, variantId } = itemOf(cardOf(heart));
    if (saved[productId]?.v.includes(variantId)) fill(heart);
  }
}

function listLink(root: HTMLElement): HTMLAnchorElement {
  const { proxy = "", sayView = "" } = root.dataset;
  return create("a", { href: proxy, textContent: sayView });
}

/** Gives a guest without a list the id with which it begins. */
function begin(root: HTMLElement): void {
  const known = read();
  if (root.dataset["reader"] === "guest" && !known.guest) write({ ...known, owner: "guest", guest: newGuest() });
}

/** Stores a response for the hearts. The count that the page shows is the shared list's. */
function keepOwn(root: HTMLElement, { owner, itemCount }: Fields, change: Parameters<typeof keep>[2]): void {
  keep(root, { owner, itemCount }, change);
}

/** Saves the item of a card. */
export async function saveOne(heart: HTMLElement): Promise<void> {
  const root = rootOf(heart);
  const { saySaved = "", sayAlready = "" } = root.dataset;
  if (heart.classList.contains("wl-on")) {
    say(root, sayAlready, listLink(root));
    return;
  }
  if (heart.ariaDisabled) return;
  heart.ariaDisabled = "true";
  try {
    begin(root);
    const { productId, variantId } = itemOf(cardOf(heart));
    const response = await call(root, "add", { productId, variantId });
    keepOwn(root, response, (next) => include(next, productId, [variantId], ""));
    fill(heart);
    say(root, saySaved, listLink(root));
  } catch (error) {
    fail(root, error);
  }
  heart.ariaDisabled = null;
}

/** Saves the items of all pages. @param button with the token of the list's link */
export async function saveAll(button: HTMLElement): Promise<void> {
  const root = rootOf(button);
  if (button.ariaDisabled) return;
  button.ariaDisabled = "true";
  try {
    begin(root);
    const response = await call(root, "saveShared", { token: text(button.dataset["token"]) });
    keepOwn(root, response, mark);
    const productIds = heartsOf(root).map((heart) => itemOf(cardOf(heart)).productId);
    await lookUp(root, [...new Set(productIds)]).catch(() => undefined);
    showStored(root);
    const { saySaved = "", sayAllSaved = "", sayAllKnown = "" } = root.dataset;
    const added = Number(response["addedCount"]);
    const message = added === 1 ? saySaved : added === 0 ? sayAllKnown : sayAllSaved.replace("[n]", String(added));
    say(root, message, listLink(root));
  } catch (error) {
    fail(root, error);
  }
  button.ariaDisabled = null;
}
