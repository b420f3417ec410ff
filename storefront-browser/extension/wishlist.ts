import { fields, list, text, type Fields } from "../shared/checked.ts";
import { newGuest } from "../shared/new-guest.ts";
import { resultOf, post, type Result } from "../shared/proxy.ts";
import {
  announce,
  exclude,
  hear,
  entriesOf,
  include,
  read,
  variantsOf,
  write,
  type Saved,
  type Stored,
  type Target,
} from "../shared/saved-list.ts";
import { on } from "./dom.ts";
import { say } from "./messages.ts";
import { setup } from "./setup.ts";

const GUEST = "guest";

/** What is known in this tab: what `read()` returned last. */
let state: Stored;
/** Changes of the list, counted when they are sent and when their response arrives. */
let changes = 0;

export function wishlist(): Readonly<Stored> {
  return state;
}

/** Returns how many items of the wishlist the target stands for. */
export function itemsOf(target: Target): number {
  return variantsOf(target, state.saved).length;
}

/** Tells whether others than the default list have the product. */
export function isListed(target: Target): boolean {
  return entriesOf(target, state.saved).some(([, { l }]) => l);
}

/** Reads what the browser knows, for the customer whom the page names. Another shopper's list is cleared before anything is shown. */
export function open(cid: string): void {
  state = read();
  const tag = state.cid === cid ? tagOf(state.owner) : "";
  // Without a hint, a customer's list may be a former customer's.
  if (state.cid !== cid || (!cid && tag)) write(clear(state, cid, tag));
}

/** Tells whether only the service knows what is saved. */
export function needsService(): boolean {
  return !!(state.cid || tagOf(state.owner) || (!state.owner && state.guest));
}

/** Calls back after every change by this script, another script of the page or another tab. */
export function onChange(callback: (isAnothers: boolean) => void): void {
  const reread = (): void => {
    const { cid, owner } = state;
    state = read();
    // Where the hint is missing or wrong, a response's owner is the first to tell who is logged in.
    callback(state.cid !== cid || (owner !== "" && state.owner !== owner));
  };
  on("wishlist:change", ({ detail }) => {
    hear(detail);
    reread();
  });
  addEventListener("storage", reread);
  // A page from the browser's back/forward cache is as old as its last visit.
  addEventListener("pageshow", reread);
}

/**
 * Saves the target in a list, or removes it: the variant, or the product with all its variants.
 * @param listId "" for the default list
 */
export async function change(path: "add" | "remove", target: Target, listId = ""): Promise<Result> {
  const { id, handle, variant, choice = "" } = target;
  // What other lists have of the product, only the service knows.
  const needsLookUp = listId || isListed(target);
  changes++;
  const result = await send(
    path,
    { productId: id, handle: id ? "" : handle, variantId: variant || (path === "add" ? choice : ""), listId },
    (next, { productId, variantId, itemCount }) => {
      if (needsLookUp) {
        // A variant that several lists have counts once: its other lists change without the number.
        next.rev = String(Date.now());
        return Number(itemCount);
      }
      if (path === "add") include(next, text(productId), [text(variantId)], handle);
      else exclude(next, target);
      return undefined;
    },
  );
  changes++;
  if (needsLookUp) await lookUp([target]);
  return result;
}

/** Looks up which of at most 250 targets are saved. Right after a login the request merges the guest's list as well. */
export async function lookUp(targets: readonly Target[]): Promise<Result> {
  const { cid, guest, owner } = state;
  const before = changes;
  const productIds = targets.flatMap(({ id }) => id || []);
  const handles = targets.flatMap(({ id, handle }) => (id ? [] : handle));
  const result = await send(
    guest && (cid || tagOf(owner)) ? "merge" : targets[0] ? "saved" : "list",
    { productIds, handles },
    (next, { merged, addedCount, saved, itemCount }) => {
      if (merged) next.guest = "";
      if (addedCount) say(setup("merged"));
      // The list was changed meanwhile: the response may be from before the change.
      if (before !== changes) return undefined;
      for (const target of targets) exclude(next, { ...target, variant: "" });
      for (const one of list(saved)) {
        const { productId, handle, variantIds, listIds } = fields(one);
        include(next, text(productId), list(variantIds).map(text), text(handle), list(listIds).map(text));
      }
      return Number(itemCount);
    },
  );
  return before === changes ? result : lookUp(targets);
}

/** Posts to the app as it is; for what `send` does not keep. */
export function callProxy(path: string, body: Fields): Promise<Response | undefined> {
  return post(setup("proxy"), path, body);
}

/**
 * Calls the service as the shopper, and stores what the response says.
 * @param alter takes the response's data and returns the number of items if the response names it; otherwise the number follows the items
 */
export async function send(
  path: string,
  body: Fields,
  alter: (next: Stored, data: Fields) => number | undefined,
  mayRetry = true,
): Promise<Result> {
  if ("variantId" in body && !state.cid && !state.guest) {
    // A new guest's list is known whole.
    commit((next) => Object.assign(next, { owner: GUEST, guest: newGuest() }));
  }
  const { cid, guest } = state;
  const result = await resultOf(await callProxy(path, { guestId: guest, ...body }));
  const { data, status } = result;
  // 410: the guest's list was merged into a customer's. 401: the customer has logged out.
  const isMerged = status === 410;
  if (data) {
    commit((next) => {
      // Another shopper has logged in or out meanwhile: the response is not about them.
      if (next.cid !== cid) return;
      const tag = tagOf(text(data["owner"]));
      if (tagOf(next.owner) !== tag) clear(next, cid, tag);
      const before = sizeOf(next.saved);
      const counted = alter(next, data);
      // Responses to several changes come in any order, each with the number of its own moment: the known items are counted instead.
      next.count = counted ?? next.count + sizeOf(next.saved) - before;
    });
  } else if (mayRetry && (isMerged || status === 401)) {
    // The shopper starts anew; so do look-ups that are under way.
    changes++;
    commit((next) => {
      if (next.guest === guest) clear(next, isMerged ? cid : "", "").guest = isMerged ? "" : guest;
    });
    if (path !== "merge") return send(path, body, alter, false);
  }
  return result;
}

/** Reads, alters, writes and announces at once, so that no other tab comes between. */
function commit(alter: (next: Stored) => void): void {
  const next = read();
  if (next.cid === state.cid) {
    alter(next);
    write(next);
  }
  announce(next);
}

/** Returns a customer's tag, or "" for a guest and for a shopper who is not known yet. */
function tagOf(owner: string): string {
  return owner === GUEST ? "" : owner;
}

function clear(next: Stored, cid: string, owner: string): Stored {
  return Object.assign(next, { cid, owner, count: 0, saved: {} });
}

function sizeOf(saved: Saved): number {
  return Object.values(saved).flatMap(({ v }) => v).length;
}
