// What the browser knows of the shopper's list. The hearts and the wishlist page read and write the same record.
import { fields, isFields, text } from "./checked.ts";

/** In localStorage or sessionStorage: see `storage`. */
export const KEY = "wishlist";

/**
 * Saved variants by product id, with the product's handle where it is known: a product card names the handle alone; and with the ids of
 * the lists that have the product, if others than the default list do.
 */
export type Saved = Record<string, { v: string[]; h?: string; l?: string[] }>;

export interface Stored {
  /** the customer whom the page named when this was written, or "": a hint */
  cid: string;
  /** the owner that the service named last: "guest" when `saved` is a guest's whole list, a customer's tag, or "" for none yet */
  owner: string;
  /** the guest's secret id, or "" */
  guest: string;
  /** saved variants in all lists, each once */
  count: number;
  /** differs after a change of lists that the other fields do not show; "" or undefined before the first one */
  rev?: unknown;
  saved: Saved;
}

/** A product, by id or handle or both, or one variant of it; "" for what is not given. */
export interface Target {
  id: string;
  handle: string;
  variant: string;
  /** of a product as a whole: the variant that is saved for it, where the page names one */
  choice?: string;
}

/** State that could not be stored (blocked, full): the script keeps it for this page. */
let memory: Stored | undefined;

/**
 * Returns where the record is. It begins in sessionStorage. The part `privacy` moves it to localStorage where the visitor allows the store
 * to remember preferences, and back where the visitor does not.
 */
export function storage(): Storage {
  return localStorage.getItem(KEY) ? localStorage : sessionStorage;
}

/** Returns what the browser knows. Unreadable state counts as none. */
export function read(): Stored {
  // Another script of the page may have begun a guest's list.
  if (memory) return { ...memory, guest: memory.guest || guestOfVisit() };
  try {
    return stored(JSON.parse(storage().getItem(KEY) ?? "0"));
  } catch {
    return (memory = stored(0));
  }
}

export function write(next: Stored): void {
  const { cid, guest } = next;
  memory = next;
  try {
    // The stored format has null where there is none.
    storage().setItem(KEY, JSON.stringify({ v: 1, ...next, cid: cid || null, guest: guest || null }));
    memory = undefined;
  } catch {
    // The pages of this visit share the guest at least. Stores use HTTPS; browsers treat a loopback address as secure.
    document.cookie = `wishlist_guest=${guest}; Path=/; SameSite=Lax; Secure`;
  }
}

/** Sends one of the public events of docs/theme-api.md. */
export function emit(name: string, detail?: unknown): void {
  document.dispatchEvent(new CustomEvent(`wishlist:${name}`, { detail }));
}

/** Tells the scripts of this page that the list has changed. */
export function announce({ count, saved }: Stored): void {
  emit("change", { count, saved });
}

/** Takes over what another script announced, where no storage carries it. */
export function hear(announced: unknown): void {
  if (memory) memory = { ...memory, ...fields(announced) };
}

function stored(value: unknown): Stored {
  const { v, cid, owner, guest, count, rev, saved } = fields(value);
  return v === 1 && isSaved(saved)
    ? { cid: text(cid), owner: text(owner), guest: text(guest), count: Number(count), rev, saved }
    : { cid: "", owner: "", guest: guestOfVisit(), count: 0, saved: {} };
}

/** A record with `v: 1` has the rest of the format. */
function isSaved(value: unknown): value is Saved {
  return isFields(value);
}

function guestOfVisit(): string {
  return /wishlist_guest=([\w-]+)/.exec(document.cookie)?.[1] ?? "";
}

/** Returns what is known of the target's product. */
export function entriesOf({ id, handle }: Target, saved: Saved): [string, Saved[string]][] {
  return Object.entries(saved).filter(([product, { h }]) => product === id || h === handle);
}

/** Returns the saved variants that the target stands for. */
export function variantsOf(target: Target, saved: Saved): string[] {
  const { variant } = target;
  return entriesOf(target, saved)
    .flatMap(([, { v }]) => v)
    .filter((one) => !variant || one === variant);
}

/** @param l the lists that have the product, where others than the default list do */
export function include(
  { saved }: Stored,
  product: string,
  variants: readonly string[],
  handle: string,
  l: readonly string[] = saved[product]?.l ?? [],
): void {
  const v = [...new Set([...(saved[product]?.v ?? []), ...variants])];
  saved[product] = { v, ...(handle && { h: handle }), ...(l[0] && { l: [...l] }) };
}

export function exclude(next: Stored, target: Target): void {
  const { variant } = target;
  for (const [, entry] of entriesOf(target, next.saved)) entry.v = entry.v.filter((one) => variant && one !== variant);
  next.saved = Object.fromEntries(Object.entries(next.saved).filter(([, { v }]) => v[0]));
}
