// Arranges a list by hand, in its custom order: by a card's handle, with a pointer or the arrow keys, or by the buttons of its menu.
import { fields, list, text, type Fields } from "../shared/checked.ts";
import { cardOf, find, listOf, rootOf } from "./dom.ts";
import { itemOf } from "./items.ts";
import { load } from "./loading.ts";
import { describe, fail } from "./messages.ts";
import { keep, mark } from "./owned-list.ts";
import { place } from "./positions.ts";
import { call } from "./requests.ts";
import { keyOf } from "./selected.ts";
import { pushView, viewOf } from "./view.ts";

/** As many items as a page of the app has. */
const PAGE_SIZE = 20;
/** The most items that the app reads or changes in one request. */
const MOST = 250;
/** Pixels from the window's edge within which dragging scrolls, and pixels of a step. */
const EDGE = 72;
const STEP = 12;

const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

function gridOf(card: HTMLElement): HTMLElement {
  return find(rootOf(card), ".wl-grid");
}

function cardsOf(card: HTMLElement): HTMLElement[] {
  return [...gridOf(card).querySelectorAll<HTMLElement>("[data-wishlist-item]")];
}

/** Moves a card to another index. The others are moved around it, so that it keeps the focus and the pointer. */
function shift(card: HTMLElement, to: number): void {
  const cards = cardsOf(card);
  const from = cards.indexOf(card);
  if (to > from) card.before(...cards.slice(from + 1, to + 1));
  else card.after(...cards.slice(to, from));
}

function restoreOrder(card: HTMLElement, order: readonly HTMLElement[]): void {
  shift(card, order.indexOf(card));
  gridOf(card).append(...order.slice(order.indexOf(card) + 1));
  gridOf(card).prepend(...order.slice(0, order.indexOf(card)));
}

function sayPlace(card: HTMLElement): void {
  const root = rootOf(card);
  const { all = "", sayPlaced = "" } = find(root, "[data-wishlist-selection]").dataset;
  const index = (viewOf(root).page - 1) * PAGE_SIZE + cardsOf(card).indexOf(card) + 1;
  describe(root, sayPlaced.replace("[n]", String(index)).replace("[m]", all));
}

interface Drag {
  card: HTMLElement;
  order: HTMLElement[];
  /** the pointer in the window */
  x: number;
  y: number;
}

let drag: Drag | undefined;

/** Begins to drag a card by its handle. */
export function onPointerDown(event: PointerEvent): void {
  const { target, button, clientX: x, clientY: y, pointerId } = event;
  const handle = target instanceof Element ? target.closest<HTMLElement>("[data-wishlist-handle]") : null;
  if (!handle || button !== 0 || drag) return;
  const card = cardOf(handle);
  handle.setPointerCapture(pointerId);
  drag = { card, order: cardsOf(card), x, y };
  card.dataset["dragging"] = "";
  requestAnimationFrame(scroll);
}

export function onPointerMove({ clientX: x, clientY: y }: PointerEvent): void {
  if (!drag) return;
  Object.assign(drag, { x, y });
  follow(drag);
}

/** Puts the dragged card where the card below the pointer is. */
function follow({ card, x, y }: Drag): void {
  const over = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-wishlist-item]");
  if (over && over !== card && gridOf(card).contains(over)) shift(card, cardsOf(card).indexOf(over));
}

/** Scrolls while the pointer is near the window's edge. */
function scroll(): void {
  if (!drag) return;
  const { y } = drag;
  const step = y < EDGE ? -STEP : y > innerHeight - EDGE ? STEP : 0;
  if (step) {
    scrollBy(0, step);
    follow(drag);
  }
  requestAnimationFrame(scroll);
}

export function onPointerUp(): void {
  if (!drag) return;
  const { card, order } = drag;
  drop();
  if (cardsOf(card).indexOf(card) === order.indexOf(card)) return;
  sayPlace(card);
  store(card, order);
}

/** Ends the dragging where it began. @returns whether a card was dragged */
export function cancelDrag(): boolean {
  if (!drag) return false;
  const { card, order } = drag;
  drop();
  restoreOrder(card, order);
  return true;
}

function drop(): void {
  delete drag?.card.dataset["dragging"];
  drag = undefined;
}

/** Moves the card of a handle by an arrow key. */
export function onArrow(event: KeyboardEvent, handle: HTMLElement): void {
  const by = KEYS[event.key];
  if (by === undefined || drag) return;
  event.preventDefault();
  void move(handle, by);
}

/** Moves a card by one, also to the page before or after. @param from the handle or button that the shopper pressed */
export async function move(from: HTMLElement, by: number): Promise<void> {
  const card = cardOf(from);
  const root = rootOf(card);
  const order = cardsOf(card);
  const to = order.indexOf(card) + by;
  if ("loading" in root.dataset) return;
  if (to >= 0 && to < order.length) {
    shift(card, to);
    card.scrollIntoView({ block: "nearest" });
    sayPlace(card);
    store(card, order);
    return;
  }
  const { page } = viewOf(root);
  if (!root.querySelector(by < 0 ? "[rel=prev]" : "[rel=next]")) {
    sayPlace(card);
    return;
  }
  try {
    await last;
    const items = await readAll(root);
    const index = items.findIndex((one) => one.key === keyOf(itemOf(card)));
    await save(root, card, items, index + by);
    const next = await load(root, { ...viewOf(root), page: page + by });
    pushView(viewOf(next));
    const { productId, variantId } = itemOf(card);
    const moved = next.querySelector<HTMLElement>(
      `[data-wishlist-item][data-product-id="${productId}"][data-variant-id="${variantId}"] [data-wishlist-handle]`,
    );
    moved?.focus();
    if (moved) sayPlace(cardOf(moved));
  } catch (error) {
    fail(root, error);
  }
}

/** The order that the service has, while changes of it are being saved. */
let saved: readonly HTMLElement[] | undefined;
/** The card whose new place is the next to be saved: several steps of a card are saved as one. */
let queued: HTMLElement | undefined;
/** Changes that are not saved yet. */
let waiting = 0;
let last: Promise<void> = Promise.resolve();

/** Saves a card's place after the changes before it. What can't be saved is shown where it was. @param before the order before the move */
function store(card: HTMLElement, before: readonly HTMLElement[]): void {
  if (queued === card) return;
  queued = card;
  waiting++;
  saved ??= before;
  const root = rootOf(card);
  last = last.then(async () => {
    queued = undefined;
    const order = cardsOf(card);
    try {
      await savePlace(root, card);
      saved = order;
    } catch (error) {
      if (saved && root.isConnected) restoreOrder(card, saved);
      fail(root, error);
    }
    waiting--;
    if (waiting === 0) saved = undefined;
  });
}

function positionOf(card: HTMLElement | undefined): number | undefined {
  const { position } = card?.dataset ?? {};
  return position === undefined ? undefined : Number(position);
}

async function savePlace(root: HTMLElement, card: HTMLElement): Promise<void> {
  // A card that offers to undo its removal is in no order.
  const cards = cardsOf(card).filter((one) => one === card || !one.querySelector(".wl-undo"));
  const index = cards.indexOf(card);
  const [before, after] = [cards[index - 1], cards[index + 1]];
  const isKnown =
    positionOf(after) !== undefined && (before ? positionOf(before) !== undefined : viewOf(root).page === 1);
  if (isKnown) {
    const around = before ? [positionOf(before), positionOf(after)] : [positionOf(after)];
    const { own, others } = place(around, before ? 1 : 0);
    if (others.size === 0) {
      await send(root, [[card, own]]);
      return;
    }
  }
  const items = await readAll(root);
  const rest = items.filter(({ key }) => key !== keyOf(itemOf(card)));
  const indexOf = (other: HTMLElement): number => rest.findIndex(({ key }) => key === keyOf(itemOf(other)));
  const at = before ? indexOf(before) : after ? indexOf(after) : 0;
  if (at < 0) throw new Error("The list has changed.");
  await save(root, card, items, before ? at + 1 : at);
}

interface Item extends Fields {
  productId: string;
  variantId: string;
  key: string;
  position: number | undefined;
}

/** Reads the whole list in its custom order, whatever is searched for. */
async function readAll(root: HTMLElement): Promise<Item[]> {
  const found: Item[] = [];
  for (let total = 1; found.length < total;) {
    const { items, matchCount } = await call(root, "list", {
      listId: listOf(root),
      sort: "position",
      limit: MOST,
      offset: found.length,
    });
    const some = list(items).map(fields);
    for (const one of some) {
      const item = { productId: text(one["productId"]), variantId: text(one["variantId"]) };
      found.push({
        ...item,
        key: keyOf(item),
        position: typeof one["position"] === "number" ? one["position"] : undefined,
      });
    }
    total = some.length > 0 ? Number(matchCount) : 0;
  }
  return found;
}

/** @param index where the item shall be */
async function save(root: HTMLElement, card: HTMLElement, items: readonly Item[], index: number): Promise<void> {
  const rest = items.filter(({ key }) => key !== keyOf(itemOf(card)));
  const { own, others } = place(
    rest.map(({ position }) => position),
    index,
  );
  const cards = new Map(cardsOf(card).map((one) => [keyOf(itemOf(one)), one]));
  const changes = [...others].flatMap(([at, position]): [HTMLElement | Item, number][] => {
    const item = rest[at];
    return item ? [[cards.get(item.key) ?? item, position]] : [];
  });
  // The item comes last: until then, the order is as it was.
  await send(root, [...changes, [card, own]]);
}

/** Sends new positions, and keeps them on the cards. */
async function send(root: HTMLElement, changes: readonly (readonly [HTMLElement | Item, number])[]): Promise<void> {
  for (let at = 0; at < changes.length; at += MOST) {
    const some = changes.slice(at, at + MOST);
    const operations = some.map(([of, position]) => {
      const { productId, variantId } = of instanceof HTMLElement ? itemOf(of) : of;
      return { op: "update", productId, variantId, position };
    });
    const response = await call(root, "changeListItems", { listId: listOf(root), operations });
    keep(root, response, mark);
    for (const [of, position] of some) if (of instanceof HTMLElement) of.dataset["position"] = String(position);
  }
}
