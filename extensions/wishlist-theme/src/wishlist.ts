import { fields, list, text, type Fields } from "./checked.ts";
import { on } from "./page.ts";
import { ask, type Answer } from "./proxy.ts";
import { hear, read, write, type Saved, type Stored } from "./storage.ts";

/** A product, by id or handle or both, or one variant of it; "" for what is not given. */
export interface Target {
  id: string;
  handle: string;
  variant: string;
  /** of a product as a whole: the variant that is saved for it, where the page names one */
  choice?: string;
}

const GUEST = "guest";

/** What is known in this tab: what `read()` gave last. */
let state: Stored;
/** Changes of the list, counted when they leave and when they are answered. */
let changes = 0;

export function wishlist(): Readonly<Stored> {
  return state;
}

/** How many items of the wishlist the target stands for. */
export function itemsOf(target: Target): number {
  const { variant } = target;
  return variants(entriesOf(target, state.saved)).filter((one) => !variant || one === variant).length;
}

/** Opens what the browser knows for the customer whom the page names. What was another's is gone before anything is shown. */
export function open(cid: string): void {
  state = read();
  const tag = state.cid === cid ? tagOf(state.owner) : "";
  // Without a hint, what a customer left behind can't be told from what is theirs still.
  if (state.cid !== cid || (!cid && tag)) write(forget(state, cid, tag));
}

/** Whether only the service knows what is saved. */
export function isToBeAsked(): boolean {
  return Boolean(state.cid || tagOf(state.owner) || (!state.owner && state.guest));
}

/** Calls back after every change, whoever made it: this script, another of the page, another tab. */
export function onChange(callback: (isAnothers: boolean) => void): void {
  const reread = (): void => {
    const { cid, owner } = state;
    state = read();
    // Without a hint, or with a wrong one, an answer's owner is the first to say who is here.
    callback(state.cid !== cid || (owner !== "" && state.owner !== owner));
  };
  on("wishlist:change", ({ detail }) => {
    hear(detail);
    reread();
  });
  addEventListener("storage", reread);
  // A page that comes back from the browser's memory is as old as its shopper's last visit.
  addEventListener("pageshow", reread);
}

/** Saves the target, or takes it out: the variant, or the product with all of them. */
export async function change(path: "add" | "remove", target: Target): Promise<Answer> {
  const { id, handle, variant, choice = "" } = target;
  changes++;
  const answer = await send(
    path,
    { productId: id, handle: id ? "" : handle, variantId: variant || (path === "add" ? choice : "") },
    (next, { productId, variantId }) => {
      if (path === "add") include(next, text(productId), [text(variantId)], handle);
      else exclude(next, target);
      return undefined;
    },
  );
  changes++;
  return answer;
}

/** Asks which of the targets, at most 250, are saved; right after a login the request brings the guest's list along. */
export async function lookUp(targets: readonly Target[]): Promise<Answer> {
  const { cid, guest, owner } = state;
  const before = changes;
  const productIds = targets.flatMap(({ id }) => id || []);
  const handles = targets.flatMap(({ id, handle }) => (id ? [] : handle));
  const answer = await send(
    guest && (cid || tagOf(owner)) ? "merge" : targets.length > 0 ? "saved" : "list",
    { productIds, handles },
    (next, { merged, saved, itemCount }) => {
      if (merged) next.guest = "";
      // A change meanwhile: nobody knows whether the answer is from before or after it. A press must not find the heart turned over.
      if (before !== changes) return undefined;
      for (const target of targets) exclude(next, { ...target, variant: "" });
      for (const one of list(saved)) {
        const { productId, handle, variantIds } = fields(one);
        include(next, text(productId), list(variantIds).map(text), text(handle));
      }
      return Number(itemCount);
    },
  );
  return before === changes ? answer : lookUp(targets);
}

/**
 * Asks the service as whoever is here, and takes over what it says.
 * @param alter takes the answer's data, and gives the count if that is told; otherwise it follows what becomes of the items
 */
export async function send(
  path: string,
  body: Fields,
  alter: (next: Stored, data: Fields) => number | undefined,
  mayRetry = true,
): Promise<Answer> {
  if ("variantId" in body && !state.cid && !state.guest) {
    // The list begins here: all of it will be known.
    commit((next) => Object.assign(next, { owner: GUEST, guest: newGuest() }));
  }
  const { cid, guest } = state;
  const answer = await ask(path, { guestId: guest, ...body });
  const { data, status } = answer;
  // 410: the guest's list went into an account. 401: nobody is logged in any more.
  const isFolded = status === 410;
  if (data) {
    commit((next) => {
      // Somebody else has logged in or out meanwhile: the answer is not about them.
      if (next.cid !== cid) return;
      const tag = tagOf(text(data["owner"]));
      if (tagOf(next.owner) !== tag) forget(next, cid, tag);
      const before = variants(Object.entries(next.saved)).length;
      const told = alter(next, data);
      // Answers to several changes come in any order, each with a count of its own moment; what is known here adds up.
      next.count = told ?? next.count + variants(Object.entries(next.saved)).length - before;
    });
  } else if (mayRetry && (isFolded || status === 401)) {
    // Whoever is here starts anew, and what is being looked up, too.
    changes++;
    commit((next) => {
      if (next.guest === guest) forget(next, isFolded ? cid : "", "").guest = isFolded ? "" : guest;
    });
    if (path !== "merge") return send(path, body, alter, false);
  }
  return answer;
}

/** Reads, alters, writes and announces at once, so that no other tab comes between. */
function commit(alter: (next: Stored) => void): void {
  const next = read();
  if (next.cid === state.cid) {
    alter(next);
    write(next);
  }
  const { count, saved } = next;
  document.dispatchEvent(new CustomEvent("wishlist:change", { detail: { count, saved } }));
}

/** A customer's tag, or "" for a guest and for whoever is not known yet. */
function tagOf(owner: string): string {
  return owner === GUEST ? "" : owner;
}

function forget(next: Stored, cid: string, owner: string): Stored {
  return Object.assign(next, { cid, owner, count: 0, saved: {} });
}

function entriesOf({ id, handle }: Target, saved: Saved): [string, Saved[string]][] {
  return Object.entries(saved).filter(([product, { h }]) => product === id || h === handle);
}

function variants(entries: readonly [string, Saved[string]][]): string[] {
  return entries.flatMap(([, { v }]) => v);
}

function include({ saved }: Stored, product: string, some: readonly string[], handle: string): void {
  const v = [...new Set([...(saved[product]?.v ?? []), ...some])];
  saved[product] = { v, ...(handle && { h: handle }) };
}

function exclude(next: Stored, target: Target): void {
  const { variant } = target;
  for (const [, entry] of entriesOf(target, next.saved)) entry.v = entry.v.filter((one) => variant && one !== variant);
  next.saved = Object.fromEntries(Object.entries(next.saved).filter(([, { v }]) => v.length > 0));
}

/** 212 random bits in 64 characters, the most that the service takes. */
function newGuest(): string {
  return (crypto.randomUUID() + crypto.randomUUID()).slice(8);
}
