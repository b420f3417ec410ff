import { every, HEART, OURS } from "./page.ts";

export type Changes = readonly MutationRecord[];

/** Buttons that came with the page or with a change of it, and are not painted yet. */
export const arrived = new Set<HTMLElement>();
const listeners: ((changes: Changes) => void)[] = [];

export function onChanges(callback: (changes: Changes) => void): void {
  listeners.push(callback);
}

function isOurs(node: Node): boolean {
  return node instanceof Element && node.matches(OURS);
}

/** Calls the listeners back after changes of the page that are the theme's. What a theme takes from us is such a change. */
export function watch(): void {
  arrive(document.body);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["href"] });
}

/** Changes the page without being told of it. */
export function unobserved(act: () => void): void {
  tell(observer.takeRecords());
  act();
  observer.takeRecords();
}

const observer = new MutationObserver(tell);

function tell(changes: Changes): void {
  const theirs = changes.filter(
    ({ target, addedNodes, removedNodes }) =>
      !isOurs(target) && (removedNodes.length > 0 || addedNodes.length === 0 || ![...addedNodes].every(isOurs)),
  );
  if (theirs.length === 0) return;
  for (const { addedNodes } of theirs) for (const node of addedNodes) if (node instanceof Element) arrive(node);
  for (const callback of listeners) callback(theirs);
}

function arrive(element: Element): void {
  if (element instanceof HTMLElement && element.matches(HEART)) arrived.add(element);
  for (const button of every(HEART, element)) arrived.add(button);
}
