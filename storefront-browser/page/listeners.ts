import { text } from "../shared/checked.ts";
import { KEY } from "../shared/saved-list.ts";
import { addAll, addOne } from "./buying.ts";
import { cardOf, find, rootOf } from "./dom.ts";
import { remove } from "./items.ts";
import { apply } from "./lists.ts";
import { cancelDrag, move, onArrow, onPointerDown, onPointerMove, onPointerUp } from "./ordering.ts";
import { saveAll, saveOne } from "./saving.ts";
import { applySelection, end, select } from "./selection.ts";
import { closeBox, rememberIntent, saveName, share } from "./sharing.ts";
import { go, show } from "./showing.ts";
import { checkVersions, follow, ownRoots } from "./start.ts";
import { change } from "./variants.ts";
import { isSameView, viewInAddress, viewOf, viewOfQuery } from "./view.ts";

/** Listens at the document, for lists that are there and those that come. */
export function listen(): void {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", onChange);
  document.addEventListener("input", onInput);
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKeyDown);
  document.addEventListener("pointerdown", onPointerDown);
  document.addEventListener("pointermove", onPointerMove);
  document.addEventListener("pointerup", onPointerUp);
  document.addEventListener("pointercancel", cancelDrag);
  document.addEventListener("toggle", onToggle, { capture: true });
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
  const { wishlistRemove, wishlistCart, wishlistForm } = form.dataset;
  if (form.matches("[data-wishlist-search]")) {
    event.preventDefault();
    search(form);
  }
  if (form.matches("[data-wishlist-sharer]")) {
    event.preventDefault();
    void saveName(form);
  }
  if ([wishlistRemove, wishlistCart, wishlistForm].every((one) => one === undefined)) return;
  event.preventDefault();
  if (wishlistForm !== undefined) {
    void apply(form, submitter);
  } else if (wishlistRemove !== undefined) {
    void remove(cardOf(form), rootOf(form).dataset["sayRemoved"] ?? "");
  } else {
    void addOne(submitter ?? find(form, "button"));
  }
}

/** Shows what the form searches for; all items without a text. */
function search(form: HTMLFormElement): void {
  const q = text(new FormData(form).get("q")).trim() || undefined;
  void go(rootOf(form), { ...viewOf(rootOf(form)), page: 1, q });
}

/** Shows all items again when the shopper empties the field. */
function onInput({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.value || !target.form?.matches("[data-wishlist-search]")) return;
  if (rootOf(target).dataset["q"]) search(target.form);
}

function onChange({ target }: Event): void {
  if (target instanceof HTMLSelectElement && target.matches("[data-wishlist-variant]")) void change(target);
  if (target instanceof HTMLInputElement && target.matches("[data-wishlist-select]")) select(target);
}

function onClick(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLElement>("[data-share]");
  if (button) void share(button);
  const toCart = target.closest<HTMLElement>("[data-wishlist-move]");
  if (toCart) void addOne(toCart);
  const step = target.closest<HTMLElement>("[data-wishlist-step]");
  if (step) void move(step, Number(step.dataset["wishlistStep"]));
  const all = target.closest<HTMLElement>("[data-wishlist-add-all]");
  if (all) void addAll(all);
  const heart = target.closest<HTMLElement>("[data-wishlist-save]");
  if (heart) void saveOne(heart);
  const toSave = target.closest<HTMLElement>("[data-wishlist-save-all]");
  if (toSave) void saveAll(toSave);
  const selecting = target.closest<HTMLElement>("[data-select]");
  if (selecting) void applySelection(selecting);
  if (target.closest("[data-share-intent]")) rememberIntent();
  closeAround(target);
  const link = target.closest<HTMLAnchorElement>("a[data-wishlist-view]");
  // The pages of a shared list are pages of the store.
  if (!link || !rootOf(link).dataset["owner"] || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void go(rootOf(link), viewOfQuery(link.search));
}

/** Closes panels that lie over the page when the shopper presses something else. */
function closeAround(target: Element): void {
  for (const open of document.querySelectorAll("[data-wishlist-root] details[open]")) {
    const panel = open.querySelector(":scope > .wl-panel");
    if (panel && !open.contains(target) && getComputedStyle(panel).position === "absolute")
      open.removeAttribute("open");
  }
}

/** Scrolls the lists to the one that is shown. */
function onToggle({ target }: Event): void {
  if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches("[data-wishlist-lists]")) return;
  target.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

/** Moves a card by its handle. Escape ends the dragging, closes the panel around the focus, or ends the selection. */
function onKeyDown(event: KeyboardEvent): void {
  const { key, target } = event;
  if (!(target instanceof Element)) return;
  const handle = target.closest<HTMLElement>("[data-wishlist-handle]");
  if (handle) onArrow(event, handle);
  if (key !== "Escape" || cancelDrag()) return;
  const box = target.closest<HTMLElement>("[data-wishlist-share]");
  if (box) closeBox(box);
  const open = target.closest("[data-wishlist-root] details[open]");
  open?.removeAttribute("open");
  open?.querySelector("summary")?.focus();
  const selecting = open || box ? null : target.closest<HTMLElement>("[data-selecting]");
  if (selecting) end(selecting);
}

function onPopState(): void {
  const view = viewInAddress();
  for (const root of ownRoots()) {
    if (!isSameView(view, viewOf(root))) void show(root, view);
  }
}
