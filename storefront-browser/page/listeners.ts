import { KEY } from "../shared/saved-list.ts";
import { addAll, addOne } from "./buying.ts";
import { cardOf, find, rootOf } from "./dom.ts";
import { remove } from "./items.ts";
import { rememberIntent, share } from "./sharing.ts";
import { go, show } from "./showing.ts";
import { follow, ownRoots } from "./start.ts";
import { change } from "./variants.ts";
import { viewInAddress, viewOf, viewOfFields } from "./view.ts";

/** Listens at the document, for lists that are there and those that come. */
export function listen(): void {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", onChange);
  document.addEventListener("click", onClick);
  addEventListener("popstate", onPopState);
  document.addEventListener("wishlist:change", ({ detail }) => follow(detail));
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
  const { wishlistRemove, wishlistCart, wishlistView } = form.dataset;
  if ([wishlistRemove, wishlistCart, wishlistView].every((one) => one === undefined)) return;
  event.preventDefault();
  if (wishlistRemove !== undefined) {
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
  const link = target.closest<HTMLElement>("[data-wishlist-to]");
  if (!link) return;
  const root = rootOf(link);
  // The pages of a shared list are pages of the store.
  if (!root.dataset["owner"] || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { sort, available } = viewOf(root);
  const page = link.dataset["wishlistTo"];
  void go(root, { sort, available: available && page !== "all", page: Number(page) || 1 });
}

function onPopState(): void {
  const view = viewInAddress();
  for (const root of ownRoots()) {
    const { page, sort, available } = viewOf(root);
    if (view.page !== page || view.sort !== sort || view.available !== available) void show(root, view);
  }
}
