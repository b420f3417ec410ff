// Selects several items of a list, and adds them to the cart, moves them or removes them together.
import { fields, list, text, type Fields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { addMany, lineOf } from "./buying.ts";
import { cardOf, find, listOf, rootOf, titleOf } from "./dom.ts";
import { detailsOf, itemOf } from "./items.ts";
import { moveBack, showChange, undoButton } from "./lists.ts";
import { load } from "./loading.ts";
import { describe, fail, say } from "./messages.ts";
import { call, Refusal } from "./requests.ts";
import { beginSelection, endSelection, keyOf, selectionOf, type Selected } from "./selected.ts";
import { viewOf } from "./view.ts";

/** The most items of one request. */
const MOST = 250;

function barOf(root: HTMLElement): HTMLElement {
  return find(root, "[data-wishlist-selection]");
}

/** Returns the cards that can be selected: not those that offer to undo their removal. */
function cardsOf(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("[data-wishlist-item]:has(.wl-name)")];
}

function selectedOf(card: HTMLElement): Selected {
  const { quantity, properties } = detailsOf(card);
  return { ...itemOf(card), quantity, properties, title: titleOf(card) };
}

/** Shows on a list that has come into the page what is selected. */
export function showSelection(root: HTMLElement): void {
  const bar = root.querySelector<HTMLElement>("[data-wishlist-selection]");
  if (!bar) {
    endSelection(root);
    return;
  }
  const items = selectionOf(root);
  root.toggleAttribute("data-selecting", items !== undefined);
  find(root, "[data-select=start]").ariaPressed = String(items !== undefined);
  bar.hidden = !items;
  root.style.setProperty("--wl-below", `${bar.offsetHeight}px`);
  for (const mark of root.querySelectorAll(".wl-mark")) mark.remove();
  if (!items) return;
  for (const card of cardsOf(root)) {
    const item = selectedOf(card);
    const isSelected = items.has(keyOf(item));
    if (isSelected) items.set(keyOf(item), item);
    const box = create("input", { type: "checkbox", checked: isSelected });
    box.ariaLabel = (bar.dataset["saySelect"] ?? "").replace("[title]", () => item.title);
    box.dataset["wishlistSelect"] = "";
    const mark = create("label", { className: "wl-mark" });
    mark.append(box);
    card.prepend(mark);
  }
  showCount(root, items);
}

function countOf(root: HTMLElement, count: number): string {
  const { sayOne = "", sayMany = "" } = barOf(root).dataset;
  return count === 1 ? sayOne : sayMany.replace("[n]", String(count));
}

function showCount(root: HTMLElement, items: ReadonlyMap<string, Selected>): void {
  const bar = barOf(root);
  find(bar, ".wl-selected").textContent = countOf(root, items.size);
  for (const button of bar.querySelectorAll<HTMLButtonElement>(".wl-row button")) button.disabled = items.size === 0;
}

function announceCount(root: HTMLElement, items: ReadonlyMap<string, Selected>): void {
  showCount(root, items);
  describe(root, countOf(root, items.size));
}

function sayMost(root: HTMLElement): void {
  say(root, (barOf(root).dataset["sayMost"] ?? "").replace("[n]", String(MOST)));
}

/** Follows a checkbox. */
export function select(box: HTMLInputElement): void {
  const root = rootOf(box);
  const items = selectionOf(root);
  if (!items) return;
  const item = selectedOf(cardOf(box));
  if (!box.checked) items.delete(keyOf(item));
  else if (items.size < MOST) items.set(keyOf(item), item);
  else {
    box.checked = false;
    sayMost(root);
  }
  announceCount(root, items);
}

/** Ends the selection, and gives the focus to the control that begins it. */
export function end(root: HTMLElement): void {
  endSelection(root);
  showSelection(root);
  find(root, "[data-select=start]").focus();
}

/** Does what a button of the selection says. */
export async function applySelection(button: HTMLElement): Promise<void> {
  const root = rootOf(button);
  const items = selectionOf(root);
  if ("loading" in root.dataset || button.ariaDisabled) return;
  const action = button.dataset["select"];
  if (!items || action === "end" || action === "start") {
    if (items) end(root);
    else {
      beginSelection(root);
      showSelection(root);
      cardsOf(root)[0]?.querySelector<HTMLElement>(".wl-mark input")?.focus({ preventScroll: true });
    }
    return;
  }
  if (action === "cart") {
    await addSelected(root, button, items);
    return;
  }
  button.ariaDisabled = "true";
  try {
    if (action === "all") await selectAll(root, items);
    else if (action === "move") await moveSelected(root, [...items.values()], button);
    else await removeSelected(root, [...items.values()]);
  } catch (error) {
    await refuse(root, items, error);
  }
  button.ariaDisabled = null;
}

/** Selects the items of all pages, as many as a request takes; or none, if they are selected. */
async function selectAll(root: HTMLElement, items: Map<string, Selected>): Promise<void> {
  const all = Number(barOf(root).dataset["all"]);
  const cards = cardsOf(root);
  const isAll = items.size >= Math.min(all, MOST);
  const found = isAll ? [] : cards.length < all ? await readAll(root) : cards.map(selectedOf);
  items.clear();
  for (const item of found) items.set(keyOf(item), item);
  for (const box of root.querySelectorAll<HTMLInputElement>("[data-wishlist-select]")) {
    const item = selectedOf(cardOf(box));
    box.checked = items.has(keyOf(item));
    if (box.checked) items.set(keyOf(item), item);
  }
  announceCount(root, items);
  if (!isAll && all > MOST) sayMost(root);
}

async function readAll(root: HTMLElement): Promise<Selected[]> {
  const { page: _, list: listId, ...arranged } = viewOf(root);
  const { items } = await call(root, "list", { listId, ...arranged, limit: MOST });
  return list(items).map((item) => ({ ...lineOf(fields(item)), title: "" }));
}

/** What the store refuses stays selected. */
async function addSelected(root: HTMLElement, button: HTMLElement, items: Map<string, Selected>): Promise<void> {
  const outcome = await addMany(button, () => Promise.resolve([...items.values()]));
  for (const item of outcome?.added ?? []) items.delete(keyOf(item));
  if (items.size === 0) end(root);
  else showSelection(root);
}

function productsOf(items: readonly Selected[]): string[] {
  return [...new Set(items.map(({ productId }) => productId))];
}

function withoutDetails(items: readonly Selected[]): Fields[] {
  return items.map(({ productId, variantId }) => ({ productId, variantId }));
}

async function moveSelected(root: HTMLElement, items: readonly Selected[], button: HTMLElement): Promise<void> {
  const [listId, to] = [listOf(root), text(button.dataset["to"])];
  const moved = withoutDetails(items);
  const response = await call(root, "moveListItems", { listId, to, items: moved });
  const { sayMovedTo = "", sayUndo = "" } = root.dataset;
  endSelection(root);
  const next = await showChange(root, response, listId, productsOf(items));
  const takeBack = (shown: HTMLElement): Promise<void> =>
    moveBack(shown, { listId, to, items: moved }, productsOf(items));
  // What the target had before would leave it with the others.
  const canUndo = response["addedCount"] === items.length;
  say(
    next,
    sayMovedTo.replace("[name]", () => button.textContent.trim()),
    canUndo ? undoButton(sayUndo, takeBack) : undefined,
  );
}

async function versionOf(root: HTMLElement, list_: string): Promise<number> {
  const { lists } = await call(root, "lists");
  const found = list(lists)
    .map(fields)
    .find(({ listId }) => listId === list_);
  return Number(found?.["version"]);
}

async function removeSelected(root: HTMLElement, items: readonly Selected[]): Promise<void> {
  const [listId, products] = [listOf(root), productsOf(items)];
  const { sayRemoved = "", sayChanged = "" } = barOf(root).dataset;
  const { sayRemoved: sayOne = "", sayUndo = "", sayRestored = "" } = root.dataset;
  const operations = withoutDetails(items).map((item) => ({ op: "remove", ...item }));
  const response = await call(root, "changeListItems", { listId, operations });
  const shownList = listId ?? "default";
  const version = await versionOf(root, shownList).catch(() => NaN);
  endSelection(root);
  const next = await showChange(root, response, listId, products);
  const restore = async (shown: HTMLElement): Promise<void> => {
    // Another change since would be taken back as well.
    if ((await versionOf(shown, shownList)) !== version) {
      say(shown, sayChanged);
      return;
    }
    const restored = await call(shown, "restoreList", { listId, version: version - 1 });
    say(await showChange(shown, restored, listId, products), sayRestored);
  };
  say(
    next,
    items.length === 1 ? sayOne : sayRemoved.replace("[n]", String(items.length)),
    version > 0 ? undoButton(sayUndo, restore) : undefined,
  );
}

/** Says which item is the reason, where the service names one. All others stay selected. */
async function refuse(root: HTMLElement, items: Map<string, Selected>, error: unknown): Promise<void> {
  const index = error instanceof Refusal ? /\[(\d+)\]$/.exec(error.path)?.[1] : undefined;
  const item = index === undefined ? undefined : [...items.values()][Number(index)];
  if (!item) {
    fail(root, error);
    return;
  }
  items.delete(keyOf(item));
  const reason = [item.title, root.dataset["sayItemGone"]].filter(Boolean).join(": ");
  say(await load(root).catch(() => root), reason);
}
