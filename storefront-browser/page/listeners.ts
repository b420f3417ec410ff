import { KEY } from "../shared/saved-list.ts";
import { addAll, addOne } from "./buying.ts";
import { cardOf, find, rootOf } from "./dom.ts";
import { remove } from "./items.ts";
import { apply } from "./lists.ts";
import { rememberIntent, share } from "./sharing.ts";
import { go, show } from "./showing.ts";
import { checkVersions, follow, ownRoots } from "./start.ts";
import { change } from "./variants.ts";
import { viewInAddress, viewOf, viewOfFields } from "./view.ts";

/** Listens at the document, for lists that are there and those that come. */
export function listen(): void {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", onChange);
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKeyDown);
  addEventListener("popstate", onPopState);
  document.addEventListener("wishlist:change", ({ detail }) => follow(detail));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void checkVersions();
  });
  addEventListener("storage", ({ key }) => {
    if (key === KEY) follow();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || ownRoots().length === 0) return;
    // A page from the browser's memory is its last visitor's, who may have logged out since.
    for (const root of ownRoots()) root.remove();
    location.reload();
  });
}

function onSubmit(event: SubmitEvent): void {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement)) return;
  const { wishlistRemove, wishlistCart, wishlistView, wishlistForm } = form.dataset;
  if ([wishlistRemove, wishlistCart, wishlistView, wishlistForm].every((one) => one === undefined)) return;
  event.preventDefault();
  if (wishlistForm !== undefined) {
    void apply(form, submitter);
  } else if (wishlistRemove !== undefined) {
    void remove(cardOf(form), rootOf(form).dataset["sayRemoved"] ?? "");
  } else if (wishlistCart !== undefined) {
    void addOne(form, submitter ?? find(form, "button"));
  } else {
    void go(rootOf(form), viewOfFields(new FormData(form)));
  }
}

function onChange({ target }: Event): void {
  if (!(target instanceof Element)) return;
  if (target instanceof HTMLSelectElement && target.matches("[data-wishlist-variant]")) void change(target);
  const form = target.closest<HTMLFormElement>("form[data-wishlist-view]");
  if (form) void go(rootOf(form), viewOfFields(new FormData(form)));
}

function onClick(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLElement>("[data-share]");
  if (button) void share(button);
  const all = target.closest<HTMLElement>("[data-wishlist-add-all]");
  if (all) void addAll(all);
  if (target.closest("[data-share-intent]")) rememberIntent();
  const link = target.closest<HTMLElement>("[data-wishlist-to],[data-wishlist-list]");
  if (!link) return;
  const root = rootOf(link);
  // The pages of a shared list are pages of the store.
  if (!root.dataset["owner"] || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { list, sort, available } = viewOf(root);
  const { wishlistTo: page, wishlistList: other } = link.dataset;
  if (other === undefined)
    void go(root, { list, sort, available: available && page !== "all", page: Number(page) || 1 });
  else void go(root, { list: other === "default" ? undefined : other, sort: undefined, available: false, page: 1 });
}

/** Closes the form around the focus. */
function onKeyDown({ key, target }: KeyboardEvent): void {
  const open = key === "Escape" && target instanceof Element && target.closest("[data-wishlist-root] details[open]");
  if (!open) return;
  open.removeAttribute("open");
  open.querySelector("summary")?.focus();
}

function onPopState(): void {
  const view = viewInAddress();
  for (const root of ownRoots()) {
    const { list, page, sort, available } = viewOf(root);
    if (view.list !== list || view.page !== page || view.sort !== sort || view.available !== available)
      void show(root, view);
  }
}
