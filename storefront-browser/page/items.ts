import { create } from "../shared/create.ts";
import { exclude, include, read } from "../shared/saved-list.ts";
import { find, rootOf, titleOf } from "./dom.ts";
import { buttonFor, fail, say } from "./messages.ts";
import { keep } from "./owned-list.ts";
import { call } from "./requests.ts";

/** Returns the product and variant of a card. */
export function itemOf(card: HTMLElement): { productId: string; variantId: string } {
  const { productId = "", variantId = "" } = card.dataset;
  return { productId, variantId };
}

/**
 * Removes the card's item and offers to undo it.
 * @param done the text for what happened
 * @returns whether the item was removed
 */
export async function remove(card: HTMLElement, done: string): Promise<boolean> {
  if (card.ariaBusy) return false;
  const root = rootOf(card);
  const { productId, variantId } = itemOf(card);
  const handle = read().saved[productId]?.h ?? "";
  card.ariaBusy = "true";
  try {
    const response = await call(root, "remove", { productId, variantId });
    keep(root, response, (next) => exclude(next, { id: productId, handle: "", variant: variantId }));
    offerUndo(root, card, done, handle);
    return true;
  } catch (error) {
    fail(root, error);
    return false;
  } finally {
    card.ariaBusy = null;
  }
}

function offerUndo(root: HTMLElement, card: HTMLElement, done: string, handle: string): void {
  const { sayUndo = "" } = root.dataset;
  const before = [...card.childNodes];
  const title = titleOf(card);
  const undo = buttonFor(sayUndo, () => void restore(card, before, handle));
  undo.ariaLabel = `${done}: ${title}. ${sayUndo}`;
  const box = create("div", { className: "wl-undo" });
  box.append(create("p", { textContent: title }), create("p", { textContent: done }), undo);
  card.replaceChildren(box);
  undo.focus();
}

/** @param handle the product's, so that its hearts show it as saved again */
async function restore(card: HTMLElement, before: readonly Node[], handle: string): Promise<void> {
  if (card.ariaBusy) return;
  const root = rootOf(card);
  const { productId, variantId } = itemOf(card);
  card.ariaBusy = "true";
  try {
    const response = await call(root, "add", { productId, variantId });
    keep(root, response, (next) => include(next, productId, [variantId], handle));
    card.replaceChildren(...before);
    find(card, "[data-wishlist-remove] button").focus();
    say(root, root.dataset["sayRestored"] ?? "");
  } catch (error) {
    fail(root, error);
  }
  card.ariaBusy = null;
}
