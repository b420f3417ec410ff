// Offers "Save for later" in the lines of the theme's cart, on the cart page and in drawers. Loaded by the app embed where there is a cart.
import { fields, isFields, list, text, type Fields } from "../../shared/checked.ts";
import { create } from "../../shared/create.ts";
import { recall, UNDO } from "../../shared/session.ts";
import { every } from "../dom.ts";
import type { Cart, default as saving } from "./save-line.ts";

/** Controls that only a line of the cart has: its quantity, and what changes or removes it. */
const CONTROL = '[name^="updates"],[href*="/cart/change"],[action*="/cart/change"]';
const PRODUCT = 'a[href*="/products/"]';
const BUTTON = "whl-later";

/** Lines for which it is known whether they can be saved. */
const known = new WeakSet<Element>();
let isReading = false;

/** Returns the lines of all carts in the page: the smallest elements with a control and a link to its product. */
function lines(): HTMLElement[] {
  const found = new Set<HTMLElement>();
  for (const control of every(CONTROL)) {
    let around = control.parentElement;
    while (around && !around.querySelector(PRODUCT)) around = around.parentElement;
    if (around) found.add(around);
  }
  // A line without a link leads to what is around several.
  return [...found].filter((one) => ![...found].some((other) => one !== other && one.contains(other)));
}

/** Returns the path of the Ajax cart, such as of `/change`, in the language and market of the page. */
function path(action: string): string {
  return `${window.Shopify?.routes?.root ?? "/"}cart${action}.js`;
}

async function read(): Promise<Fields> {
  return fields(await (await fetch(path(""))).json());
}

function itemsOf(cart: Fields): Fields[] {
  return list(cart["items"]).map(fields);
}

/** Returns the item of the cart that a line shows: by its key, by its number, or by its link where that is in one line only. */
function itemOf(line: Element, items: readonly Fields[]): Fields | undefined {
  const html = line.outerHTML;
  const number = Number(/\/cart\/change\?[^"]*line=(\d+)/.exec(html)?.[1]);
  const linked = items.filter(({ url, variant_id }) =>
    every<HTMLAnchorElement>(PRODUCT, line).some(({ pathname, search }) => {
      const variant = new URLSearchParams(search).get("variant") ?? text(variant_id);
      return variant === text(variant_id) && pathname.endsWith(new URL(text(url), location.href).pathname);
    }),
  );
  return (
    items.find(({ key }) => html.includes(text(key)) || html.includes(encodeURIComponent(text(key)))) ??
    linked.find((item) => item === items[number - 1]) ??
    (linked[1] ? undefined : linked[0])
  );
}

/**
 * Tells whether an item of a list can hold all of a line: no part of a bundle and nothing with parts, no subscription, and no gift card, whose
 * properties are about its recipient.
 */
function canBeSaved(item: Fields, items: readonly Fields[]): boolean {
  const { key, gift_card, selling_plan_allocation, has_components, item_components, parent_relationship } = item;
  const isOther = [gift_card, selling_plan_allocation, has_components, list(item_components)[0], parent_relationship];
  return !(
    isOther.some(Boolean) ||
    fields(item["instructions"])["can_remove"] === false ||
    items.some((other) => fields(other["parent_relationship"])["parent_key"] === key)
  );
}

/** Reads the cart, and returns the item that a line shows; undefined if it can't be saved or is not in the cart any more. */
async function find(line: Element): Promise<Fields | undefined> {
  const items = itemsOf(await read());
  const item = itemOf(line, items);
  return item && canBeSaved(item, items) ? item : undefined;
}

/** Imports what a press needs. @returns undefined when it can't be loaded */
async function importSaving(): Promise<typeof saving | undefined> {
  const part: unknown = await import(/* @vite-ignore */ wishlistCore.setup("laterPart")).catch(() => undefined);
  return isSaving(part) ? part.default : undefined;
}

/** A part that loads is of this release, so it has the default export of its source. */
function isSaving(part: unknown): part is { default: typeof saving } {
  return isFields(part);
}

/** Adds the button to new lines. */
async function offer(): Promise<void> {
  const fresh = lines().filter((line) => !known.has(line));
  if (isReading || !fresh[0]) return;
  isReading = true;
  const now = await read().catch(() => undefined);
  isReading = false;
  if (!now) return;
  const items = itemsOf(now);
  wishlistCore.unobserved(() => {
    for (const line of fresh) {
      known.add(line);
      const item = itemOf(line, items);
      if (item && canBeSaved(item, items) && !every(`.${BUTTON}`, line)[0]) place(line, text(item["product_title"]));
    }
  });
  await offer();
}

/** Puts a button under what the line says of the product, beside neither its picture nor its controls. */
function place(line: HTMLElement, title: string): void {
  const { setup } = wishlistCore;
  const button = create("button", {
    type: "button",
    className: BUTTON,
    textContent: setup("later"),
    ariaLabel: setup("laterNamed").replace("[title]", () => title),
    onclick(event) {
      event.stopPropagation();
      void press(button, line);
    },
  });
  const links = every(PRODUCT, line);
  let spot: Element | undefined = links.findLast(({ textContent }) => textContent.trim()) ?? links[0];
  for (
    let around = spot?.parentElement;
    around && around !== line && !around.querySelector(`img,${CONTROL}`);
    around = around.parentElement
  ) {
    spot = around;
  }
  if (spot?.matches("a,span,p,h1,h2,h3,h4,h5,h6")) spot.after(button);
  else spot?.append(button);
}

async function press(button: HTMLElement, line: HTMLElement): Promise<void> {
  if (button.ariaDisabled) return;
  button.ariaDisabled = "true";
  const { save } = (await importSaving()) ?? {};
  if (save) await save(cart, line);
  else await wishlistCore.refuse({});
  button.ariaDisabled = null;
}

const cart: Cart = { lines, path, read, find };

function start(): void {
  wishlistCore.onChanges(() => void offer());
  void offer();
  // A save before the page was loaded anew.
  if (recall(UNDO)) void importSaving().then((part) => part?.resume(cart));
}

if ("wishlistCore" in globalThis) start();
else document.addEventListener("wishlist:ready", start, { once: true });
