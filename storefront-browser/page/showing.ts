import { headingOf, load } from "./loading.ts";
import { fail } from "./messages.ts";
import { pushView, viewOf, type View } from "./view.ts";

/** Shows a page, order or filter, and puts it into the address. */
export async function go(root: HTMLElement, view: View): Promise<void> {
  if ("loading" in root.dataset) return;
  const next = await show(root, view);
  if (next) pushView(viewOf(next));
}

/** @returns the new root; undefined when it could not be loaded */
export async function show(root: HTMLElement, view: View): Promise<HTMLElement | undefined> {
  const before = viewOf(root);
  const name = document.activeElement?.getAttribute("name");
  try {
    const next = await load(root, view);
    const field =
      view.page === 1 && name && next.querySelector<HTMLElement>(`[data-wishlist-view] [name="${CSS.escape(name)}"]`);
    if (field) {
      field.focus({ preventScroll: true });
    } else if (
      before.page !== viewOf(next).page ||
      before.list !== viewOf(next).list ||
      next.contains(document.activeElement)
    ) {
      next.scrollIntoView();
      headingOf(next).focus({ preventScroll: true });
    }
    return next;
  } catch (error) {
    root.querySelector<HTMLFormElement>("form[data-wishlist-view]")?.reset();
    fail(root, error, () => void go(root, view));
    return undefined;
  }
}
