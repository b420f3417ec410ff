import { headingOf, load, loadOf } from "./loading.ts";
import { describe, fail } from "./messages.ts";
import { isArrangedAlike, isSameView, pushView, viewOf, type View } from "./view.ts";

/** Shows a page, order or filter, and puts it into the address. */
export async function go(root: HTMLElement, view: View): Promise<void> {
  const loading = loadOf(root);
  if (loading) {
    const loaded = await loading.catch(() => root);
    // A second click chooses what the first one has loaded. Otherwise the list was being loaded for another reason.
    if (!isSameView(viewOf(loaded), view)) await go(loaded, view);
    return;
  }
  const next = await show(root, view);
  if (next) pushView(viewOf(next));
}

/** @returns the new root; undefined when it could not be loaded */
export async function show(root: HTMLElement, view: View): Promise<HTMLElement | undefined> {
  const before = viewOf(root);
  try {
    const next = await load(root, view);
    const after = viewOf(next);
    const { list, page, q } = after;
    const hasFocus = next.contains(document.activeElement);
    const isArranged = before.list === list && !isArrangedAlike(before, after);
    const isSearched = before.q !== q;
    const control = next.querySelector<HTMLElement>(
      isSearched ? "[data-wishlist-search] [type=search]" : "[data-wishlist-arrange] summary",
    );
    if (isSearched) describe(next, next.querySelector(".wl-matches span, .wl-lead")?.textContent ?? "");
    if (isArranged && page === 1 && control) {
      if (hasFocus) control.focus({ preventScroll: true });
    } else if (before.page !== page || before.list !== list || hasFocus) {
      next.scrollIntoView();
      headingOf(next).focus({ preventScroll: true });
    }
    return next;
  } catch (error) {
    fail(root, error, () => void go(root, view));
    return undefined;
  }
}
