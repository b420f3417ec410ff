import { fields, list, text } from "../shared/checked.ts";
import { hear, read } from "../shared/saved-list.ts";
import { dress } from "./appearance.ts";
import { find } from "./dom.ts";
import { load } from "./loading.ts";
import { fail, say } from "./messages.ts";
import { isAnnouncing, keep } from "./owned-list.ts";
import { call } from "./requests.ts";
import { showSaved } from "./saving.ts";
import { showSelection } from "./selection.ts";
import { resumeSharing, setLink } from "./sharing.ts";
import { show } from "./showing.ts";
import { suggest } from "./suggestions.ts";
import { isArrangedAlike, viewInAddress, viewOf } from "./view.ts";

/** Returns the shopper's own lists: a shared one is its owner's. */
export function ownRoots(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-wishlist-root][data-owner]")];
}

/** Starts a list that has come into the page. */
export async function start(root: HTMLElement): Promise<void> {
  const { owner, reader, count, shell } = root.dataset;
  dress(root);
  leadBack(root);
  const box = root.querySelector<HTMLElement>("[data-wishlist-share]");
  if (box) {
    setLink(box, box.dataset["path"] ?? "");
    box.hidden = false;
  }
  if (reader) void showSaved(root);
  if (!owner) return;
  showSelection(root);
  const known = read();
  root.dataset["rev"] = text(known.rev);
  if (shell !== undefined) {
    if (known.guest) await fill(root);
    else {
      find(root, "[data-wishlist-empty]").hidden = false;
      void suggest(root);
    }
    return;
  }
  void suggest(root);
  if (owner !== "guest" && known.guest) {
    await merge(root, known.guest);
    return;
  }
  if (known.owner !== owner || String(known.count) !== count) keep(root, { owner, itemCount: count });
  void resumeSharing(root);
  const block = root.closest<HTMLElement>("[data-wishlist-page]");
  if (!block || "viewed" in block.dataset) return;
  block.dataset["viewed"] = "";
  const [wanted, shown] = [viewInAddress(), viewOf(root)];
  // The block may have been filled without regard to the order and filter in the address.
  if (!isArrangedAlike(wanted, shown)) await show(root, wanted);
}

/** Makes links to the login lead back to this page. */
function leadBack(root: HTMLElement): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>("[data-wishlist-log-in]")) {
    const address = new URL(link.href);
    const isNewAccounts = address.pathname.includes("/customer_authentication/");
    address.searchParams.set(isNewAccounts ? "return_to" : "return_url", location.pathname + location.search);
    link.href = address.href;
  }
}

/** Shows a guest's list, which the page came without. */
async function fill(root: HTMLElement): Promise<void> {
  const waiting = find(root, "[data-wishlist-waiting]");
  find(root, "[data-wishlist-empty]").hidden = true;
  waiting.hidden = false;
  try {
    await load(root);
  } catch (error) {
    waiting.hidden = true;
    fail(root, error, () => void fill(root));
  }
}

/** Loads the list as it is now. */
async function refresh(root: HTMLElement): Promise<void> {
  await load(root).catch((error: unknown) => fail(root, error, () => void refresh(root)));
}

/** Merges the list of a guest who has logged in into the customer's. */
async function merge(root: HTMLElement, guestId: string): Promise<void> {
  const { count } = root.dataset;
  try {
    const merged = await call(root, "merge", { guestId });
    keep(root, merged, (next) => {
      if (next.guest === guestId) next.guest = "";
    });
    const { addedCount, itemCount } = merged;
    if (!addedCount && String(itemCount) === count) void resumeSharing(root);
    else {
      const next = await load(root, { ...viewOf(root), page: 1 });
      if (addedCount) say(next, next.dataset["sayMerged"] ?? "");
    }
  } catch (error) {
    fail(root, error, () => void merge(root, guestId));
  }
}

/** Follows a change of the list by a heart on the page or in another tab, or a change of the shopper. */
export function follow(announced?: unknown): void {
  hear(announced);
  const { owner, guest, count, rev } = read();
  for (const root of ownRoots()) {
    const shown = root.dataset;
    const isShell = shown["shell"] !== undefined;
    const isShown = isShell
      ? !guest
      : String(count) === shown["count"] && text(rev) === shown["rev"] && (!owner || owner === shown["owner"]);
    if (isAnnouncing(root) || isShown) continue;
    if ("loading" in shown) shown["stale"] = "";
    else if (isShell) void fill(root);
    else void refresh(root);
  }
}

/** Parts of a page that would be lost with a new one: an open panel, and offers to undo a change. */
const UNFINISHED = "details[open], [aria-expanded=true], .wl-undo, [data-wishlist-status] button";

/** Shows what the shopper has changed on another device. */
export async function checkVersions(): Promise<void> {
  for (const root of ownRoots()) {
    const { owner, versions } = root.dataset;
    if (versions === undefined || "loading" in root.dataset || root.querySelector(UNFINISHED)) continue;
    if (owner === "guest" && !read().guest) continue;
    const { lists } = await call(root, "lists").catch(() => ({ lists: undefined }));
    const now = list(lists).map(fields);
    const shown = now.map(({ listId, version }) => `${text(listId)}.${text(version)}`).join(" ");
    if (lists && shown !== root.dataset["versions"] && !root.querySelector(UNFINISHED)) await refresh(root);
  }
}
