import { boxOf, copyOf, every, HEART, OURS, setup } from "../page.ts";
import type { Changes } from "../changes.ts";
import { cardOf, SWATCH } from "./card.ts";
import { placeOn, sizeOf, type Place } from "./place.ts";
import { linked, someLink } from "./product-link.ts";

/** How often a heart is put back where the theme removes it. */
const RETURNS = 9;
/** Cards whose layout is read before hearts are put on them. */
const BATCH = 32;
const EDGES = ["left", "right", "top", "bottom", "translate"];
const HEADINGS = "h1,h2,h3,h4,h5,h6";
const PICTURE = /^(?:IMG|PICTURE|VIDEO|CANVAS)$/;

/** Hearts by the scope of their card. A theme's own button in a card counts as its heart. */
const hearts = new WeakMap<Element, HTMLElement>();
/** Links to look at in the next pass. */
const waiting = new Set<HTMLAnchorElement>();
/** Cards whose heart was measured into its place. */
const measured = new Map<Element, HTMLElement>();
const returns = new WeakMap<Node, number>();
/** Scopes by their heart. */
const ours = new WeakMap<Element, Element>();

let resized: () => void;
/** A card without layout is looked at again when it has one, and one whose heart was measured when its size changes. */
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) enqueue(target);
  resized();
});

export function onResized(callback: () => void): void {
  resized = callback;
}

/** Whether the window has changed, so that other corners may be free. */
let isStale = false;

/** Enqueues all cards, those with a heart, too. */
export function enqueueAll(): void {
  isStale = true;
  enqueue(document.body);
}

/** Links whose card has its heart. */
const done = new WeakMap<Element, HTMLElement>();

/** Enqueues the links in and around an element that came or changed. */
export function enqueue(element: Element): void {
  const around = element.closest("a");
  if (around) waiting.add(around);
  for (const link of element.getElementsByTagName("a")) waiting.add(link);
}

export function enqueueChanges(changes: Changes): void {
  for (const change of changes) enqueueChange(change);
}

function enqueueChange({ type, target, addedNodes, removedNodes }: MutationRecord): void {
  if (!(target instanceof Element)) return;
  if (type === "attributes") enqueue(target);
  for (const node of addedNodes) {
    if (node instanceof HTMLElement && node.matches(".whl-card") && !ours.has(node)) node.remove();
    if (!(node instanceof Element) || node.matches(OURS)) continue;
    // A copy of a card brings a copy of its heart along.
    for (const copy of every(".whl-card", node)) if (!ours.has(copy)) copy.remove();
    enqueue(node);
    // A picture that came late makes a card of what is around it.
    if (PICTURE.test(node.tagName)) enqueue(target.parentElement ?? target);
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

/**
 * Puts a heart on every card that has none, a step for each link. All of the layout is read before anything is written.
 * @returns the hearts that are new, or another product's than before
 */
export function* decorate(): Generator<undefined, HTMLElement[]> {
  const plans: { heart: HTMLElement; place: Place }[] = [];
  const changed: HTMLElement[] = [];
  const planned = new Set<Element>();
  dropOrphans();
  for (const link of waiting) {
    // What is seen first does not wait for the last card.
    if (plans.length >= BATCH) break;
    waiting.delete(link);
    yield;
    const product = linked(link);
    const own = done.get(link);
    const isDone =
      own?.isConnected === true && own.dataset["productHandle"] === product?.handle && !isStale && !isMeasured(own);
    if (!product || !link.isConnected || isDone || isWithin(link, planned)) continue;
    const card = cardOf(link, product.handle);
    if (!card) continue;
    const { scope, isHidden } = card;
    if (isHidden) {
      sizes.observe(scope);
      continue;
    }
    planned.add(scope);
    const known = hearts.get(scope);
    const present = known?.isConnected ? known : scope.querySelector<HTMLElement>(`${HEART},[data-wishlist-remove]`);
    const heart = present ?? copyOf("card");
    if (!heart) return [];
    hearts.set(scope, heart);
    done.set(link, heart);
    // A theme's own button speaks for itself.
    if (present && !present.matches(".whl-card")) continue;
    if (heart.dataset["productHandle"] !== product.handle) {
      name(heart, scope, product.handle);
      changed.push(heart);
    }
    if (!present || isStale || measured.has(scope)) plans.push({ heart, place: placeOn(card) });
  }
  const before = plans.map(({ place: { host } }) => sizeOf(host));
  for (const { heart, place } of plans) {
    for (const property of EDGES) heart.style.removeProperty(property);
    for (const [property, value] of Object.entries(place.style)) heart.style.setProperty(property, value, "important");
    ours.set(heart, place.scope);
    // What is hidden from readers, such as a slider's copies, is not reached by keyboard.
    if (place.host.closest("[aria-hidden=true]")) heart.tabIndex = -1;
    if (heart.parentElement !== place.host) place.host.append(heart);
  }
  // A theme may style what is last in its place, which the heart has become: what was last is so again.
  const pushed = plans.filter(({ place: { host } }, index) => sizeOf(host) !== before[index]);
  for (const { heart } of pushed) heart.previousElementSibling?.before(heart);
  const moves = plans.flatMap(({ heart, place: { scope, target } }) => {
    if (!target) return [];
    const { x, y } = boxOf(heart);
    measured.set(scope, heart);
    sizes.observe(scope);
    return { heart, move: `${target.x - x}px ${target.y - y}px` };
  });
  for (const { heart, move } of moves) heart.style.setProperty("translate", move, "important");
  if (waiting.size > 0) return [...changed, ...(yield* decorate())];
  isStale = false;
  return changed;
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

function isMeasured(heart: HTMLElement): boolean {
  return heart.style.translate !== "";
}

function isWithin(link: Element, scopes: ReadonlySet<Element>): boolean {
  for (let one: Element | null = link; one; one = one.parentElement) if (scopes.has(one)) return true;
  return false;
}

/** Makes a heart speak of the product, and of the variant that its card names. */
function name(heart: HTMLElement, scope: Element, handle: string): void {
  // A lone product's scope may hold the page's own headings.
  const heading =
    scope.querySelector(`:is(${HEADINGS}):has(a),a :is(${HEADINGS})`) ?? scope.querySelector("h2,h3,h4,h5,h6");
  let title = heading?.textContent.trim() ?? "";
  let chosen = "";
  const read = (link: Element): boolean => {
    const product = linked(link);
    if (product?.handle !== handle) return false;
    title ||= link.textContent.trim() || (link.ariaLabel ?? "");
    // A swatch names a variant that can be chosen, and not the one that is shown.
    if (boxOf(link).width > SWATCH.width || link.closest(HEADINGS)) chosen ||= product.variant;
    return false;
  };
  read(scope);
  someLink(scope, read);
  title ||= scope.querySelector("img")?.alt ?? "";
  heart.dataset["productHandle"] = handle;
  heart.dataset["choice"] = chosen;
  heart.ariaLabel = setup("save").replace("[title]", () => title || handle);
}
