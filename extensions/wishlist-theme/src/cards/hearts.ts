import { boxOf, copyOf, every, HEART, OURS, setup } from "../page.ts";
import type { Changes } from "../changes.ts";
import { cardOf, SWATCH_WIDTH, useSelector } from "./card.ts";
import { placeOn, type Place } from "./place.ts";
import { linked } from "./product-link.ts";
import { inSlices } from "./slices.ts";

/** How often a heart is put back where the theme removes it. */
const RETURNS = 9;
/** Hearts that are put on their cards before the browser gets its turn to lay them out. */
const BATCH = 48;
const CARD = ".whl-card";
const HEADINGS = "h1,h2,h3,h4,h5,h6";
const PICTURES = "img,picture,video,canvas";

/** Hearts by their card's scope and links. A theme's own button in a card counts as its heart. */
const hearts = new WeakMap<Element, HTMLElement>();
/** Links to look at in the next pass. */
const waiting = new Set<HTMLAnchorElement>();
/** Cards whose heart was measured into its place. */
const measured = new Map<Element, HTMLElement>();
const returns = new WeakMap<Node, number>();
/** Scopes by their heart. */
const ours = new WeakMap<Element, Element>();
/** The style that the embed gives each heart. */
let own = "";

/** A card without layout is looked at again when it has one, and one whose heart was measured when its size changes. */
const sizes = new ResizeObserver((entries) => {
  // It tells the size that is there first, too.
  for (const { target } of entries) {
    if (known.get(target) === sizeOf(target)) continue;
    known.delete(target);
    enqueue(target);
  }
});
/** Sizes of cards whose heart was measured. */
const known = new WeakMap<Element, string>();

let isBusy = false;

function decorateSoon(): void {
  if (isBusy) return;
  isBusy = true;
  inSlices(decorate(), (changed) => {
    isBusy = false;
    wishlistCore.arrive(changed);
    if (!isPresetUsed && !setup("cards") && !document.querySelector(CARD)) void usePreset();
  });
}

let isPresetUsed = false;

/** Where no card was found, the theme may be known by its name. */
async function usePreset(): Promise<void> {
  isPresetUsed = true;
  useSelector(await wishlistCore.preset("cards"));
  enqueue(document.body);
}

/** Whether the window has changed, so that other corners may be free. */
let isStale = false;

/** Enqueues all cards, those with a heart, too. */
export function enqueueAll(): void {
  isStale = true;
  enqueue(document.body);
}

/** Enqueues the links in and around an element that came or changed. */
export function enqueue(element: Element): void {
  const around = element.closest("a");
  if (around) waiting.add(around);
  for (const link of element.getElementsByTagName("a")) waiting.add(link);
  decorateSoon();
}

export function enqueueChanges(changes: Changes): void {
  for (const change of changes) enqueueChange(change);
  decorateSoon();
}

function enqueueChange({ type, target, addedNodes, removedNodes }: MutationRecord): void {
  if (!(target instanceof Element)) return;
  if (type === "attributes") enqueue(target);
  for (const node of addedNodes) {
    if (!(node instanceof HTMLElement)) continue;
    // A copy of a card brings a copy of its heart along.
    for (const copy of [node, ...every(CARD, node)]) if (copy.matches(CARD) && !ours.has(copy)) copy.remove();
    if (node.matches(OURS)) continue;
    enqueue(node);
    // A picture that came late makes a card of what is around it.
    if (node.matches(PICTURES)) enqueue(target.parentElement ?? target);
  }
  for (const node of removedNodes) {
    const times = returns.get(target) ?? 0;
    // A heart that went with its card is not a heart that the theme refuses.
    const isRefused = node instanceof Element && !node.isConnected && ours.get(node)?.isConnected;
    if (!isRefused || times > RETURNS) continue;
    returns.set(target, times + 1);
    enqueue(target);
  }
}

/** A heart that is to be put on its card. */
interface Plan extends Place {
  heart: HTMLElement;
  scope: Element;
  /** the card's, for which the place was found */
  size: string;
}

/**
 * Puts a heart on every card that has none, a step for each link and for each batch of hearts. What is read is read before anything is written,
 * and after a batch the browser lays out at its own time.
 * @returns the hearts that are new, or another product's than before
 */
function* decorate(): Generator<boolean, HTMLElement[]> {
  const changed: HTMLElement[] = [];
  do {
    const plans = yield* plan(changed);
    if (plans.length === 0) continue;
    put(plans);
    yield true;
  } while (waiting.size > 0);
  isStale = false;
  return changed;
}

/** Finds the cards of the links that wait, and a place for the heart of each that has none. */
function* plan(changed: HTMLElement[]): Generator<boolean, Plan[]> {
  const plans: Plan[] = [];
  const planned = new Set<Element | undefined>();
  dropOrphans();
  // What changes from now on is looked at once these have their hearts; and what is seen first does not wait for the last card.
  for (const link of [...waiting]) {
    if (plans.length >= BATCH) break;
    waiting.delete(link);
    yield false;
    const product = linked(link);
    const last = hearts.get(link);
    if (!product || !link.isConnected || planned.has(last)) continue;
    const isDone = last?.isConnected && last.dataset["productHandle"] === product.handle && !last.style.translate;
    if (isDone && !isStale) continue;
    const card = cardOf(link, product.handle);
    if (!card) continue;
    const { scope, isHidden } = card;
    if (isHidden) {
      sizes.observe(scope);
      continue;
    }
    const before = hearts.get(scope);
    const present = before?.isConnected ? before : scope.querySelector<HTMLElement>(`${HEART},[data-wishlist-remove]`);
    const heart = present ?? copyOf("card");
    if (!heart) break;
    if (!present) own = heart.style.cssText;
    planned.add(heart);
    for (const one of [scope, link, ...every("a", scope)]) hearts.set(one, heart);
    // A theme's own button speaks for itself.
    if (present && !present.matches(CARD)) continue;
    if (heart.dataset["productHandle"] !== product.handle) {
      name(heart, scope, product.handle);
      changed.push(heart);
    }
    if (!present || isStale || measured.has(scope)) plans.push({ heart, scope, size: sizeOf(scope), ...placeOn(card) });
  }
  return plans;
}

/** Puts hearts into their places. */
function put(plans: Plan[]): void {
  const added = plans
    .filter(({ heart, host }) => heart.parentElement !== host)
    .map(({ heart, host }) => ({ heart, host, before: sizeOf(host) }));
  // What is right from the beginning is not drawn twice.
  wishlistCore.paint(plans.map(({ heart }) => heart));
  for (const { heart, scope, host, style, target } of plans) {
    // What was measured stays where it is until it is measured again.
    if (!target || !heart.style.translate) {
      heart.style.cssText = own + style;
      if (heart.parentElement === host) lift(heart);
    }
    ours.set(heart, scope);
    if (target) measured.set(scope, heart);
    // What is hidden from readers, such as a slider's copies, is not reached by keyboard.
    if (host.closest("[aria-hidden=true]")) heart.tabIndex = -1;
  }
  for (const { heart, host } of added) host.append(heart);
  // Between layout and painting measuring costs nothing, and nobody has seen what is mended.
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    // A theme may style what is last in its place, which the heart has become: what was last is so again.
    const pushed = added.filter(({ host, before }) => sizeOf(host) !== before);
    for (const { heart } of pushed) {
      heart.previousElementSibling?.before(heart);
      lift(heart);
    }
    const moves = plans.flatMap(({ heart, scope, size, host, target }) => {
      if (!target) return [];
      const [{ x, y }, { left, top }] = [boxOf(host), boxOf(heart)];
      sizes.observe(scope);
      known.set(scope, size);
      // Changed since its place was found, and perhaps changed back before anybody was told.
      if (sizeOf(scope) !== size) enqueue(scope);
      const [dx = 0, dy = 0] = heart.style.translate.split(" ").map(parseFloat);
      return { heart, move: `${dx + x + target.x - left}px ${dy + y + target.y - top}px` };
    });
    for (const { heart, move } of moves) heart.style.setProperty("translate", move, "important");
  });
  observer.observe(document.body);
}

/** Lifts a heart over what comes after it, if that would lie over it. */
function lift({ style, nextElementSibling: next }: HTMLElement): void {
  if (!next || getComputedStyle(next).position === "static") return;
  style.setProperty("z-index", String(Number(style.zIndex) + 1), "important");
}

/** Takes away hearts of cards that are gone from lists whose cards are links; the others there have moved. */
function dropOrphans(): void {
  const hosts = new Set<Element | null>();
  for (const [scope, heart] of measured) {
    if (scope.isConnected) continue;
    hosts.add(heart.parentElement);
    ours.delete(heart);
    heart.remove();
    measured.delete(scope);
  }
  if (hosts.size > 0) for (const [scope, heart] of measured) if (hosts.has(heart.parentElement)) enqueue(scope);
}

/** Makes a heart speak of the product, and of the variant that its card names. */
function name(heart: HTMLElement, scope: Element, handle: string): void {
  // A lone product's scope may hold the page's own headings.
  const headings = every(HEADINGS, scope);
  const heading =
    headings.find((one) => one.closest("a") ?? one.querySelector("a")) ?? headings.find((one) => one.tagName > "H1");
  let title = heading?.textContent.trim() ?? "";
  let chosen = "";
  for (const link of [scope, ...every("a", scope)]) {
    const product = linked(link);
    if (product?.handle !== handle) continue;
    title ||= link.textContent.trim() || (link.ariaLabel ?? "");
    // A swatch names a variant that can be chosen, and not the one that is shown.
    if (product.variant && (boxOf(link).width > SWATCH_WIDTH || link.closest(HEADINGS))) chosen ||= product.variant;
  }
  title ||= scope.querySelector("img")?.alt ?? "";
  heart.dataset["productHandle"] = handle;
  heart.dataset["choice"] = chosen;
  heart.ariaLabel = setup("save").replace("[title]", () => title || handle);
}

function sizeOf(host: Element): string {
  const { width, height } = boxOf(host);
  return `${width} ${height}`;
}
