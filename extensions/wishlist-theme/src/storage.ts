import { fields, isFields, text } from "./checked.ts";

const KEY = "wishlist";

/** Saved variants by product id, with the product's handle where it is known. */
export type Saved = Record<string, { v: string[]; h?: string }>;

/** What lies in the browser. "" stands for the null of `cid` and `guest` there. */
export interface Stored {
  /** the customer whom the page named when this was written: a hint */
  cid: string;
  /** whom the service last answered for: "guest" when `saved` is a guest's whole list, a customer's tag, "" while it is not known */
  owner: string;
  /** the guest's secret id */
  guest: string;
  /** items in the wishlist */
  count: number;
  saved: Saved;
}

/** What could not be stored (blocked, full): this tab remembers it by itself. */
let memory: Stored | undefined;

/** What the browser knows. Whatever it cannot read counts as nothing. */
export function read(): Stored {
  if (memory) return { ...memory };
  try {
    return stored(JSON.parse(localStorage.getItem(KEY) ?? "0"));
  } catch {
    return (memory = stored(0));
  }
}

export function write(next: Stored): void {
  const { cid, guest } = next;
  memory = next;
  try {
    localStorage.setItem(KEY, JSON.stringify({ v: 1, ...next, cid: cid || null, guest: guest || null }));
    memory = undefined;
  } catch {
    // The visit's pages at least share the guest. Stores are served over HTTPS, and browsers take a loopback address for secure as well.
    document.cookie = `wishlist_guest=${guest}; Path=/; SameSite=Lax; Secure${guest ? "" : "; Max-Age=0"}`;
  }
}

/** Takes over what another script of this page announced, where no storage carries it. */
export function hear(announced: unknown): void {
  if (memory) memory = { ...memory, ...fields(announced) };
}

function stored(value: unknown): Stored {
  const { v, cid, owner, guest, count, saved } = fields(value);
  return v === 1 && isSaved(saved)
    ? { cid: text(cid), owner: text(owner), guest: text(guest), count: Number(count), saved }
    : { cid: "", owner: "", guest: guestOfVisit(), count: 0, saved: {} };
}

/** Whoever writes `v: 1` writes the rest of the format. */
function isSaved(value: unknown): value is Saved {
  return isFields(value);
}

function guestOfVisit(): string {
  return /wishlist_guest=([\w-]+)/.exec(document.cookie)?.[1] ?? "";
}
