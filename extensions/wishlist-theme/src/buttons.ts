import { postpone } from "./intent.ts";
import { say, sayRefused } from "./message.ts";
import { every, HEART, on, setup } from "./page.ts";
import { variantOf } from "./product-form.ts";
import { change, itemsOf, wishlist, type Target } from "./wishlist.ts";

/** What the shopper wants of a target, shown at once and not yet answered. */
interface Wish {
  target: Target;
  saved: boolean;
}

const wishes = new Map<string, Wish>();
/** Products with a request under way: the next one leaves after its answer, so the last wish is the one that stays. */
const busy = new Set<string>();

export function buttons(): HTMLElement[] {
  return every(HEART);
}

/** What a button stands for at this moment. A card's stands for the product, whichever variant of it is saved. */
export function targetOf(button: HTMLElement): Target {
  const { productId = "", productHandle = "", choice = "" } = button.dataset;
  return { id: productId, handle: productHandle, variant: variantOf(button), choice };
}

/** Tells products apart within a page; "" for a button without one. */
export function nameOf({ id, handle }: Target): string {
  return handle || id;
}

function keyOf(target: Target): string {
  return `${nameOf(target)}/${target.variant}`;
}

function isShownSaved(target: Target): boolean {
  return wishes.get(keyOf(target))?.saved ?? itemsOf(target) > 0;
}

/** Brings buttons up to date, all of them or the given ones, and every count. */
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
  for (const bubble of every("[data-wishlist-count]")) {
    const shown = String(count);
    if (bubble.textContent !== shown) bubble.textContent = shown;
    // It keeps its place.
    bubble.hidden = count === 0;
  }
}

/** One listener for all buttons, now and later. It comes first: a press is not a press of the card around the button. */
export function listen(): void {
  on("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>(HEART) : null;
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    const target = targetOf(button);
    if (nameOf(target)) void wish(target, !isShownSaved(target));
  });
}

/** Shows at once what the shopper wants, and pursues it. */
export function wish(target: Target, saved: boolean): Promise<void> {
  // At the end of the map, where a loop that is under way will find it.
  wishes.delete(keyOf(target));
  wishes.set(keyOf(target), { target, saved });
  paint();
  say(setup(saved ? "saved" : "removed"), setup("page"), setup("view"));
  return pursue(nameOf(target));
}

/** Works on the wishes for a product one after the other. */
async function pursue(product: string): Promise<void> {
  if (busy.has(product)) return;
  busy.add(product);
  for (const [key, wish] of wishes) {
    const { target, saved } = wish;
    if (nameOf(target) !== product) continue;
    // After two presses in a row nothing is left to ask for.
    const answer = saved !== itemsOf(target) > 0 && (await change(saved ? "add" : "remove", target));
    // Pressed again meanwhile: the newer wish comes later in this loop.
    if (wishes.get(key) !== wish) continue;
    wishes.delete(key);
    if (answer && !answer.data) {
      if (answer.status === 403) postpone(target);
      sayRefused(answer.status, answer.wait);
    }
    paint();
  }
  busy.delete(product);
}
