import { callForPage } from "./requests.ts";
import { passSelection } from "./selected.ts";
import { viewOf, type View } from "./view.ts";

/** Returns the element that gets the focus when the list was replaced. */
export function headingOf(root: HTMLElement): HTMLElement {
  return root.querySelector<HTMLElement>("[data-wishlist-title]") ?? root;
}

/** Another script may have replaced the root, also while a request was under way. */
function isReplaced(root: HTMLElement): boolean {
  return !root.isConnected;
}

const loads = new WeakMap<HTMLElement, Promise<HTMLElement>>();

/** Returns the load of a list that is under way. */
export function loadOf(root: HTMLElement): Promise<HTMLElement> | undefined {
  return loads.get(root);
}

/**
 * Loads a page of the list in place of the page that is shown.
 * @returns the root that is shown then
 */
export function load(root: HTMLElement, view: View = viewOf(root)): Promise<HTMLElement> {
  const loaded = replace(root, view).finally(() => {
    if (loads.get(root) === loaded) loads.delete(root);
  });
  loads.set(root, loaded);
  return loaded;
}

async function replace(root: HTMLElement, view: View): Promise<HTMLElement> {
  if (isReplaced(root)) return root;
  root.dataset["loading"] = "";
  try {
    const { list, page, sort, available, q } = view;
    const heading = Number(root.dataset["heading"]);
    const html = await callForPage(root, { listId: list, page, sort, available, q, heading, bare: true });
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const next = parsed.querySelector<HTMLElement>("[data-wishlist-root]");
    if (!next) throw new Error("not a page");
    if (isReplaced(root)) return root;
    const hadFocus = root.contains(document.activeElement);
    const isStale = "stale" in root.dataset;
    passSelection(root, next);
    root.replaceWith(next);
    if (hadFocus) headingOf(next).focus({ preventScroll: true });
    // The list was changed while this page of it was on its way.
    if (isStale) return await load(next, view);
    window.wishlistPage?.();
    return next;
  } finally {
    delete root.dataset["loading"];
  }
}
