import { counters, productButtons } from "./changes.ts";
import { every, HEART, on } from "./dom.ts";
import type { Fields } from "../shared/checked.ts";
import type { Target } from "../shared/saved-list.ts";
import { offer, say } from "./messages.ts";
import { importPart, setup } from "./setup.ts";
import { change, isListed, itemsOf, wishlist } from "./wishlist.ts";

/** What the shopper wants for a target. It is shown before the response arrives. */
interface Wish {
  target: Target;
  saved: boolean;
}

const wishes = new Map<string, Wish>();
/** Products with a request under way. The next request waits for its response, so that the last wish wins. */
const busy = new Set<string>();

export function buttons(): HTMLElement[] {
  return every(HEART);
}

/** Returns what a button stands for now. A card's heart stands for the product, whichever variant of it is saved. */
export function targetOf(button: HTMLElement): Target {
  const { productId = "", productHandle = "", variantId = "", choice = "" } = button.dataset;
  return { id: productId, handle: productHandle, variant: wishlistCore.variantOf?.(button) ?? variantId, choice };
}

/** Returns what identifies the product within a page; "" for a button without a product. */
export function nameOf({ id, handle }: Target): string {
  return handle || id;
}

function keyOf(target: Target): string {
  return `${nameOf(target)}/${target.variant}`;
}

function isShownSaved(target: Target): boolean {
  return wishes.get(keyOf(target))?.saved ?? itemsOf(target) > 0;
}

/** Updates buttons, all or the given ones, and every counter. */
export function paint(some: readonly HTMLElement[] = buttons()): void {
  for (const button of some) {
    const shown = String(isShownSaved(targetOf(button)));
    if (button.ariaPressed !== shown) button.ariaPressed = shown;
  }
  let { count } = wishlist();
  for (const { target, saved } of wishes.values()) {
    const items = itemsOf(target);
    if (saved !== items > 0) count += saved ? 1 : -items;
  }
  const shown = String(count);
  for (const counter of counters) {
    if (counter.textContent !== shown) counter.textContent = shown;
    // The style keeps its place.
    if (counter.hidden !== !count) counter.hidden = !count;
  }
}

/** Listens for presses of all buttons, before the theme: a press of a heart is no press of the card around it. */
export function listen(): void {
  on("click", (event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLElement>(HEART);
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    void press(button);
  });
}

async function press(button: HTMLElement): Promise<void> {
  // Which variant the shopper has chosen, only that part knows, and perhaps not before the theme does.
  if (button.dataset["variantId"]) await (await productPart())?.(button);
  const target = targetOf(button);
  if (isListed(target) && isShownSaved(target)) void choose(target);
  else if (nameOf(target)) void wish(target, !isShownSaved(target));
}

/** Imports the part for buttons of one variant, once the page has such a button or is to get one. */
export function productPart(): ReturnType<typeof importPart<"product">> | undefined {
  return (product ??= setup("productPlace") || productButtons.size ? importPart("product") : undefined);
}
let product: ReturnType<typeof productPart>;

/** Lets the shopper choose the lists for a saved product. */
async function choose(target: Target): Promise<void> {
  const open = await importPart("lists");
  if (open) open(target);
  else void refuse({});
}

/** Tells the shopper that the service refused a request. @param target the product that the shopper wanted to save */
export async function refuse(error: Fields, target?: Target): Promise<void> {
  const handle = await importPart("refused");
  if (handle) handle({ error, target });
  else say(setup(navigator.onLine ? "failed" : "offline"));
}

/** The target of the last press, which the message is about. */
let last: Target | undefined;

/** Shows at once what the shopper wants, and sends it. */
export function wish(target: Target, saved: boolean): Promise<void> {
  // At the end of the map: a loop that is under way comes to it.
  wishes.delete(keyOf(target));
  wishes.set(keyOf(target), { target, saved });
  last = target;
  paint();
  say(setup(saved ? "saved" : "removed"), setup("page"), setup("view"));
  return sendWishes(nameOf(target));
}

/** Sends the wishes for a product one after the other. */
async function sendWishes(product: string): Promise<void> {
  if (busy.has(product)) return;
  busy.add(product);
  for (const [key, wish] of wishes) {
    const { target, saved } = wish;
    if (nameOf(target) !== product) continue;
    // After two presses in a row there is nothing to send.
    const result = saved !== itemsOf(target) > 0 && (await change(saved ? "add" : "remove", target));
    // A newer wish comes later in this loop.
    if (wishes.get(key) !== wish) continue;
    wishes.delete(key);
    if (result) {
      const { data, error } = result;
      if (!data) {
        void refuse(error, target);
      } else if (data["choosesLists"] && last === target) {
        offer(setup("choose"), () => void choose(target));
      }
    }
    paint();
  }
  busy.delete(product);
}
