// Adds saved items to the cart: one, one that leaves the list, or all.
import { fields, isFields, list, text, type Fields } from "../shared/checked.ts";
import { addToCart, CartRefusal, cartPath, type Line } from "./cart.ts";
import { create } from "../shared/create.ts";
import { cardOf, listOf, rootOf, titleOf } from "./dom.ts";
import { detailsOf, itemOf, remove } from "./items.ts";
import { fail, say } from "./messages.ts";
import { call } from "./requests.ts";
import { viewOf } from "./view.ts";

/** Milliseconds after success in which a second press counts as part of the first: a double click, Enter and a click. */
const GUARD = 1500;
/** Variants in one request to the cart. */
const BATCH = 50;
/** The most items that the app returns in one response. */
const LIST_LIMIT = 250;
/** The most items that the app takes in one report. */
const REPORT_LIMIT = 100;

interface Item extends Line {
  productId: string;
}

/**
 * Marks buttons as busy, and shows on one of them what it does meanwhile.
 * @returns a function that ends it, after a while in which success is shown; undefined while it is under way already
 */
function begin(
  buttons: readonly HTMLElement[],
  button: HTMLElement,
  busyLabel = "",
): ((doneLabel?: string) => void) | undefined {
  if (buttons.some(({ ariaDisabled }) => ariaDisabled)) return undefined;
  // The product's name behind it is for screen readers.
  const label = button.firstChild ?? button;
  const before = label.textContent;
  for (const one of buttons) one.ariaDisabled = "true";
  label.textContent = busyLabel;
  const end = (): void => {
    label.textContent = before;
    for (const one of buttons) one.ariaDisabled = null;
  };
  return (doneLabel) => {
    if (doneLabel) {
      label.textContent = doneLabel;
      setTimeout(end, GUARD);
    } else {
      end();
    }
  };
}

function cartLink(root: HTMLElement): HTMLAnchorElement {
  return create("a", { href: cartPath(root), textContent: root.dataset["sayViewCart"] ?? "" });
}

/** Adds a card's item. @param button the one that was pressed */
export async function addOne(button: HTMLElement): Promise<void> {
  const root = rootOf(button);
  const card = cardOf(button);
  const { sayAdding, sayAdded = "", sayMoved = "" } = root.dataset;
  const end = begin(
    [...card.querySelectorAll<HTMLElement>("[data-wishlist-cart] button, [data-wishlist-move]")],
    button,
    sayAdding,
  );
  if (!end) return;
  const { quantity, properties } = detailsOf(card);
  const item = { ...itemOf(card), quantity, properties };
  try {
    const token = await addToCart(root, button, [item]);
    void report(root, token, [item]);
  } catch (error) {
    end();
    fail(root, error);
    return;
  }
  const isMove = "wishlistMove" in button.dataset;
  if (isMove && (await remove(card, sayMoved))) {
    end();
    say(root, sayMoved, cartLink(root));
  } else {
    end(sayAdded);
    if (!isMove) say(root, sayAdded, cartLink(root));
  }
}

interface Outcome {
  added: Item[];
  /** titles, or the store's reasons */
  refused: string[];
  /** the cart's */
  token: string;
}

/** Adds the available items of all pages. */
export async function addAll(button: HTMLElement): Promise<void> {
  await addMany(button, () => availableItems(rootOf(button)));
}

/**
 * Adds items in as few requests as possible, and names those that the store refuses.
 * @returns undefined while the button is busy
 */
export async function addMany(button: HTMLElement, read: () => Promise<Item[]>): Promise<Outcome | undefined> {
  const root = rootOf(button);
  const { sayAdding, sayAdded } = root.dataset;
  const end = begin([button], button, sayAdding);
  if (!end) return undefined;
  const outcome: Outcome = { added: [], refused: [], token: "" };
  try {
    const items = await read();
    for (let at = 0; at < items.length; at += BATCH) await addBatch(root, button, items.slice(at, at + BATCH), outcome);
    end(outcome.added.length > 0 ? sayAdded : "");
    say(root, summaryOf(root, outcome), outcome.added.length > 0 ? cartLink(root) : undefined);
  } catch (error) {
    end();
    if (outcome.added.length > 0) say(root, summaryOf(root, outcome), cartLink(root));
    else fail(root, error);
  }
  const { added, token } = outcome;
  for (let at = 0; at < added.length; at += REPORT_LIMIT) void report(root, token, added.slice(at, at + REPORT_LIMIT));
  return outcome;
}

/** Returns an item of a list as a line of the cart. */
export function lineOf({ productId, variantId, quantity, properties }: Fields): Item {
  return {
    productId: text(productId),
    variantId: text(variantId),
    quantity: Number(quantity ?? 1),
    properties: isFields(properties) ? properties : undefined,
  };
}

async function availableItems(root: HTMLElement): Promise<Item[]> {
  const found: Item[] = [];
  for (let total = 1, offset = 0; offset < total; offset += LIST_LIMIT) {
    const { items, matchCount } = await call(root, "list", {
      listId: listOf(root),
      limit: LIST_LIMIT,
      offset,
      available: true,
      q: viewOf(root).q,
    });
    found.push(...list(items).map((item) => lineOf(fields(item))));
    total = Number(matchCount);
  }
  return found;
}

/** A store refuses a request for one of its variants: the others are tried again without it. */
async function addBatch(root: HTMLElement, from: Element, items: readonly Item[], outcome: Outcome): Promise<void> {
  try {
    outcome.token = await addToCart(root, from, items);
    outcome.added.push(...items);
  } catch (error) {
    if (!(error instanceof CartRefusal)) throw error;
    const refused = items.length === 1 ? items : items.filter(({ variantId }) => error.refused.includes(variantId));
    outcome.refused.push(...refused.map((item) => shownTitle(root, item) ?? error.message));
    const rest = items.filter((item) => !refused.includes(item));
    // Where the store does not say which variant it refuses, halves are tried.
    const middle = refused.length > 0 ? rest.length : Math.ceil(rest.length / 2);
    for (const part of [rest.slice(0, middle), rest.slice(middle)]) {
      if (part.length > 0) await addBatch(root, from, part, outcome);
    }
  }
}

/** Returns the title of an item of the page that is shown. */
function shownTitle(root: HTMLElement, { productId }: Item): string | undefined {
  const card = root.querySelector(`[data-wishlist-item][data-product-id="${productId}"]:has(.wl-name)`);
  return card ? titleOf(card) : undefined;
}

function summaryOf(root: HTMLElement, { added, refused }: Outcome): string {
  const { sayAdded = "", sayAllAdded = "", sayNotAdded = "", sayNoneAvailable = "" } = root.dataset;
  if (added.length + refused.length === 0) return sayNoneAvailable;
  const success = added.length === 1 ? sayAdded : sayAllAdded.replace("[n]", String(added.length));
  const failure = sayNotAdded.replace("[titles]", () => [...new Set(refused)].join(", "));
  return [...(added.length > 0 ? [success] : []), ...(refused.length > 0 ? [failure] : [])].join(". ");
}

/** Reports what went into the cart; the app counts each variant once for a cart. A failed report is not worth a message to the shopper. */
async function report(root: HTMLElement, eventId: string, items: readonly Item[]): Promise<void> {
  const reported = items.map(({ productId, variantId }) => ({ product_id: productId, variant_id: variantId }));
  if (root.dataset["owner"])
    await call(root, "recordCart", { event_id: eventId, items: reported }).catch(() => undefined);
}
