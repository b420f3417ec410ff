import { boxOf, copyOf, every, HEART, OURS } from "../dom.ts";
import type { Changes } from "../changes.ts";
import { cardOf, SWATCH_WIDTH, useSelector } from "./card.ts";
import { placeOn, type Place } from "./place.ts";
import { linked } from "./product-link.ts";
import { inSlices } from "./slices.ts";

const { setup } = wishlistCore;

/** How often a heart is restored after the theme has removed it. */
const RETURNS = 9;
/** Hearts that are added before the browser lays the page out. */
const BATCH = 48;
/** More links than a card has. */
const FEW = 20;
const CARD = ".whl-card";
const HEADINGS = "h1,h2,h3,h4,h5,h6";
const PICTURES = "img,picture,video,canvas";

/** Hearts by their card's scope and links. A theme's own button in a card counts as its heart. */
const hearts = new WeakMap<Element, HTMLElement>();
/** Links to process in the next pass. */
const queue = new Set<HTMLAnchorElement>();
/** Cards whose heart was placed by measuring. */
const measured = new Map<Element, HTMLElement>();
const returns = new WeakMap<Node, number>();
/** Scopes by their heart. */
const scopes = new WeakMap<Element, Element>();
/** The style that the embed gives each heart. */
let baseStyle = "";

/** Enqueues a card without layout when it gets one, and a card whose heart was measured when its size changes. */
const sizes = new ResizeObserver((entries) => {
  // The observer also reports the size at the beginning.
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

/** Where no card was found, tries the selector for the theme's name. */
async function usePreset(): Promise<void> {
  isPresetUsed = true;
  useSelector(await wishlistCore.preset("cards"));
  enqueue(document.body);
}

/** True after the window was resized: other corners may be free. */
let isStale = false;

/** Enqueues all cards, also those with a heart. */
export function enqueueAll(): void {
  isStale = true;
  enqueue(document.body);
}

/** Enqueues the links in and around a new or changed element. */
export function enqueue(element: Element): void {
  const around = element.closest("a");
  if (around) queue.add(around);
  for (const link of element.getElementsByTagName("a")) queue.add(link);
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
    // A copy of a card holds a copy of its heart.
    for (const copy of [node, ...every(CARD, node)]) if (copy.matches(CARD) && !scopes.has(copy)) copy.remove();
    if (node.matches(OURS)) continue;
    enqueue(node);
    // A card that came alone may have become one of several.
    const { previousElementSibling: before } = node;
    if (before && before.getElementsByTagName("a").length < FEW) enqueue(before);
    // A late picture makes its surroundings a card.
    if (node.matches(PICTURES)) enqueue(target.parentElement ?? target);
  }
  for (const node of removedNodes) {
    const times = returns.get(target) ?? 0;
    // A heart that was removed with its card was not refused by the theme.
    const isRefused = node instanceof Element && !node.isConnected && scopes.get(node)?.isConnected;
    if (!isRefused || times > RETURNS) continue;
    returns.set(target, times + 1);
    enqueue(target);
  }
}

/** A heart to be put on its card. */
interface Plan extends Place {
  heart: HTMLElement;
  scope: Element;
  /** the card's size, for which the place was found */
  size: string;
}

/**
 * Puts a heart on every card that has none, in a step for each link and each batch of hearts. Layout is read before anything is written, and
 * the browser lays the page out between batches.
 * @returns the hearts that are new or have another product than before
 */
function* decorate(): Generator<boolean, HTMLElement[]> {
  const changed: HTMLElement[] = [];
  do {
    const plans = yield* plan(changed);
    if (plans.length === 0) continue;
    put(plans);
    yield true;
  } while (queue.size > 0);
  isStale = false;
  return changed;
}

/** Finds the cards of the queued links, and a place for the heart of each card without one. */
function* plan(changed: HTMLElement[]): Generator<boolean, Plan[]> {
  const plans: Plan[] = [];
  const planned = new Set<Element | undefined>();
  removeOrphans();
  // A copy: links that are queued meanwhile are for the next pass, so that the first cards do not wait for the last.
  for (const link of [...queue]) {
    if (plans.length >= BATCH) break;
    queue.delete(link);
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
    if (!present) baseStyle = heart.style.cssText;
    planned.add(heart);
    for (const one of [scope, link, ...every("a", scope)]) hearts.set(one, heart);
    // A theme's own button names its product itself.
    if (present && !present.matches(CARD)) continue;
    if (heart.dataset["productHandle"] !== product.handle) {
      assign(heart, scope, product.handle);
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
  // Painted before they are added, hearts are drawn once.
  wishlistCore.paint(plans.map(({ heart }) => heart));
  const lifted: HTMLElement[] = [];
  for (const { heart, scope, host, style, target } of plans) {
    // A measured heart keeps its place until it is measured again.
    if (!target || !heart.style.translate) {
      heart.style.cssText = baseStyle + style;
      if (heart.parentElement === host) lifted.push(heart);
    }
    scopes.set(heart, scope);
    if (target) measured.set(scope, heart);
    // Elements that are hidden from screen readers, such as a slider's copies, can't be focused by keyboard.
    if (host.closest("[aria-hidden=true]")) heart.tabIndex = -1;
  }
  for (const { heart, host } of added) host.append(heart);
  // Between layout and painting, measuring costs nothing, and corrections are not visible.
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    // A theme may style the last child of the host: the heart goes before it.
    const pushed = added.filter(({ host, before }) => sizeOf(host) !== before);
    for (const { heart } of pushed) {
      heart.previousElementSibling?.before(heart);
      lifted.push(heart);
    }
    const moves = plans.flatMap(({ heart, scope, size, host, target }) => {
      if (!target) return [];
      const [{ x, y }, { left, top }] = [boxOf(host), boxOf(heart)];
      sizes.observe(scope);
      known.set(scope, size);
      // The card changed after its place was found, and may have changed back before the observer reported it.
      if (sizeOf(scope) !== size) enqueue(scope);
      const [dx = 0, dy = 0] = heart.style.translate.split(" ").map(parseFloat);
      return { heart, move: `${dx + x + target.x - left}px ${dy + y + target.y - top}px` };
    });
    for (const { heart, move } of moves) heart.style.setProperty("translate", move, "important");
    for (const { style } of lifted.filter(isCovered)) {
      style.setProperty("z-index", String(Number(style.zIndex) + 1), "important");
    }
  });
  observer.observe(document.body);
}

/** Tells whether an element after the heart lies over it: the one at its middle, and outside of the window the next one, if it may. */
function isCovered(heart: HTMLElement): boolean {
  const { nextElementSibling: next, parentElement: host } = heart;
  if (!next) return false;
  const { left, top, width, height } = boxOf(heart);
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit ? !heart.contains(hit) && host?.contains(hit) === true : getComputedStyle(next).position !== "static";
}

/** Removes the hearts of cards that are gone. Where they shared a host with others, those have moved and are measured again. */
function removeOrphans(): void {
  const hosts = new Set<Element | null>();
  for (const [scope, heart] of measured) {
    if (scope.isConnected) continue;
    hosts.add(heart.parentElement);
    scopes.delete(heart);
    heart.remove();
    measured.delete(scope);
  }
  if (hosts.size > 0) for (const [scope, heart] of measured) if (hosts.has(heart.parentElement)) enqueue(scope);
}

/** Gives a heart its product, the variant that its card names, and its label. */
function assign(heart: HTMLElement, scope: Element, handle: string): void {
  // The scope of a single product may hold the page's own headings.
  const headings = every(HEADINGS, scope);
  const heading =
    headings.find((one) => one.closest("a") ?? one.querySelector("a")) ?? headings.find((one) => one.tagName > "H1");
  let title = heading?.textContent.trim() ?? "";
  let chosen = "";
  for (const link of [scope, ...every("a", scope)]) {
    const product = linked(link);
    if (product?.handle !== handle) continue;
    title ||= link.textContent.trim() || (link.ariaLabel ?? "");
    // A swatch links to a variant that can be chosen, not to the one that is shown.
    if (product.variant && (boxOf(link).width > SWATCH_WIDTH || link.closest(HEADINGS))) chosen ||= product.variant;
  }
  title ||= scope.querySelector("img")?.alt ?? "";
  heart.dataset["productHandle"] = handle;
  heart.dataset["choice"] = chosen;
  heart.ariaLabel = setup("save").replace("[title]", () => title || handle);
}

/** Returns an element's size in the layout: what slides or grows into its place has no other size meanwhile. */
function sizeOf(host: Element): string {
  return host instanceof HTMLElement ? `${host.offsetWidth} ${host.offsetHeight}` : "";
}
