import { fields, type Fields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { exclude, include, read, type Stored } from "../shared/saved-list.ts";
import { find, listOf, rootOf, titleOf } from "./dom.ts";
import { buttonFor, fail, say } from "./messages.ts";
import { keep, lookUp } from "./owned-list.ts";
import { call } from "./requests.ts";

/** Returns the product and variant of a card. */
export function itemOf(card: HTMLElement): { productId: string; variantId: string } {
  const { productId = "", variantId = "" } = card.dataset;
  return { productId, variantId };
}

/** What the shopper has set for an item. */
export interface Details {
  quantity: number;
  note: string;
  /** of the line item, as the store's cart had it; undefined to leave them as they are */
  properties?: Fields | undefined;
  /** in the custom order, where the page knows it */
  position?: number | undefined;
}

/** Returns the details of a card's item. They stay with the card while it offers to undo its removal. */
export function detailsOf({ dataset }: HTMLElement): Details {
  const { quantity, note = "", position } = dataset;
  return {
    quantity: Number(quantity) || 1,
    note,
    properties: propertiesOf(dataset["properties"]),
    position: position === undefined ? undefined : Number(position),
  };
}

function propertiesOf(json: string | undefined): Fields | undefined {
  const parsed: unknown = JSON.parse(json ?? "null");
  return parsed === null ? undefined : fields(parsed);
}

/** Gives an item that was added anew the details that it had. */
export async function keepDetails(
  root: HTMLElement,
  item: { productId: string; variantId: string },
  details: Details,
): Promise<void> {
  const { quantity, note, properties, position } = details;
  if (quantity > 1 || note || properties || position !== undefined)
    await updateDetails(root, { listId: listOf(root), ...item }, details);
}

/** Stores the details of an item. One is the quantity of an item without one. */
export function updateDetails(
  root: HTMLElement,
  { listId, productId, variantId }: { listId: string | undefined; productId: string; variantId: string },
  { quantity, note, properties, position }: Details,
): Promise<Fields> {
  return call(root, "updateListItem", {
    listId,
    productId,
    variant_id: variantId,
    quantity: quantity === 1 ? null : quantity,
    note: note || null,
    properties,
    position,
  });
}

/** Stores a change of an item for the hearts. What other lists have of the product, only the service knows. */
export async function keepItem(
  root: HTMLElement,
  response: Fields,
  productId: string,
  change: (next: Stored) => void,
): Promise<void> {
  const isInOthers = listOf(root) !== undefined || Boolean(read().saved[productId]?.l);
  keep(root, response, isInOthers ? undefined : change);
  if (isInOthers) await lookUp(root, [productId]).catch(() => undefined);
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
    const response = await call(root, "remove", { listId: listOf(root), productId, variantId });
    await keepItem(root, response, productId, (next) =>
      exclude(next, { id: productId, handle: "", variant: variantId }),
    );
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
  card.querySelector("details[open]")?.removeAttribute("open");
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
    const details = detailsOf(card);
    const response = await call(root, "add", { listId: listOf(root), productId, variantId });
    await keepItem(root, response, productId, (next) => include(next, productId, [variantId], handle));
    await keepDetails(root, { productId, variantId }, details);
    card.replaceChildren(...before);
    find(card, "[data-wishlist-remove] button").focus();
    say(root, root.dataset["sayRestored"] ?? "");
  } catch (error) {
    fail(root, error);
  }
  card.ariaBusy = null;
}
