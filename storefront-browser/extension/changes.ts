import { every, HEART, OURS } from "./dom.ts";

export type Changes = readonly MutationRecord[];

/** Buttons that are new in the page and not painted yet. */
export const arrived = new Set<HTMLElement>();
/** Product pages' buttons: those that stand for one variant. */
export const productButtons = new Set<HTMLElement>();
/** Elements that show the number of items. */
export const counters = new Set<HTMLElement>();
const COUNTER = "[data-wishlist-count]";
const listeners: ((changes: Changes) => void)[] = [];

export function onChanges(callback: (changes: Changes) => void): void {
  listeners.push(callback);
}

function isOurs(node: Node): boolean {
  return node instanceof Element && node.matches(OURS);
}

/** Calls the listeners back after changes of the page by the theme. Removing an element of the app is such a change. */
export function watch(): void {
  arrive(document.body);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["href"] });
}

/** Changes the page without calling the listeners. */
export function unobserved(act: () => void): void {
  notify(observer.takeRecords());
  act();
  observer.takeRecords();
}

const observer = new MutationObserver(notify);

function notify(changes: Changes): void {
  const theirs = changes.filter(
    ({ target, addedNodes, removedNodes }) =>
      !isOurs(target) && !(addedNodes[0] && !removedNodes[0] && [...addedNodes].every(isOurs)),
  );
  if (!theirs[0]) return;
  for (const { addedNodes } of theirs) for (const node of addedNodes) if (node instanceof Element) arrive(node);
  for (const callback of listeners) callback(theirs);
}

/** Registers the buttons and counters in an element. The page is not searched for them again. */
export function arrive(element: Element): void {
  for (const one of [element, ...every(`${HEART},${COUNTER}`, element)]) {
    if (!(one instanceof HTMLElement)) continue;
    if (one.matches(COUNTER)) counters.add(one);
    if (!one.matches(HEART)) continue;
    arrived.add(one);
    if (one.dataset["variantId"]) productButtons.add(one);
  }
}
