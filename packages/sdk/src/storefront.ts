import { createCalls, toClient, toIssuedToken, type ClientOptions } from "./client.ts";
import { fieldsOf, isOfKind } from "./fields.ts";
import type { Client } from "./methods.ts";
import { randomId } from "./random.ts";
import type { Refusal } from "./request.ts";
import type { IssuedToken } from "./tokens.ts";
import type { Output } from "./types.ts";

/** Where the guest's id is kept: `localStorage`, or an asynchronous store of a mobile app. */
export interface ShopperStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

export interface StorefrontOptions extends ClientOptions {
  /** `wlp_…` */
  publishableKey: string;
  /** `localStorage` by default; without any, the guest lives as long as the client */
  storage?: ShopperStorage | undefined;
  /** where the guest's id is in the storage; `wishlist.guest` by default. Set it if one origin serves several shops */
  storageKey?: string | undefined;
  /**
   * The customer with whom the client begins, as after a reload of a page whose shopper is logged in: no request is made as a guest. The first
   * request merges the guest's lists. If the token is not accepted, requests fail with `invalid_customer_token` until `login` or `logout`.
   */
  customer?: CustomerLogin | undefined;
}

/** What became of the guest's lists at a login. */
export type Merge = NonNullable<Output<"tokens.exchangePublishableKey">["merge"]>;

/** What a server of yours returns after it has exchanged the customer's access token itself (`tokens.exchangePublishableKey`). */
export interface CustomerToken extends IssuedToken {
  merge?: Merge | undefined;
}

/**
 * The customer's access token of the Customer Account API; or a function that returns it, or gets the wishlist's token from a server of yours, so
 * that the access token never reaches the page. `guestId` is the guest to merge, if there is one.
 */
export type CustomerLogin =
  | string
  | ((shopper: { guestId: string | undefined }) => string | CustomerToken | Promise<string | CustomerToken>);

/** A client for one shopper: a guest, from `login` to `logout` a customer. */
export interface StorefrontClient extends Client {
  readonly owner: "guest" | "customer";
  /**
   * Continues as the customer, and merges the guest's lists into the customer's. A function is called again every 15 minutes.
   * @returns what was merged; undefined if the guest had no list
   * @throws WishlistError `invalid_customer_token`, `customer_accounts_unavailable`; the shopper is then still who it was
   */
  login(customer: CustomerLogin): Promise<Merge | undefined>;
  /** Continues as a guest, who sees nothing of the customer's lists. */
  logout(): void;
  /** Tells whether the shopper is a guest who has saved nothing on this device yet, so that there is nothing to read. */
  isNewGuest(): Promise<boolean>;
  /** Calls a listener after each login and logout. @returns a function that ends it */
  readonly onOwnerChange: (listener: () => void) => () => void;
}

/** Creates a client for the shopper of a page or an app. It holds no secret. */
export function createStorefrontClient({
  publishableKey,
  storage,
  storageKey = "wishlist.guest",
  customer,
  ...options
}: StorefrontOptions): StorefrontClient {
  if (!isOfKind(publishableKey, "wlp_")) {
    throw new TypeError("`publishableKey` must be a publishable key (wlp_…), never a secret.");
  }
  const guests = guestIds(storage ?? browserStorage(), storageKey);
  const listeners = new Set<() => void>();
  /** whose token is in use */
  let guest: string | undefined;
  let changes = 0;

  const calls = createCalls(options, (refusal) => (customer ? asCustomer(customer) : asGuest(refusal)));

  async function asGuest(refusal: Refusal | undefined): Promise<IssuedToken> {
    // Another tab has merged this guest's lists at its login.
    if (refusal?.error.code === "guest_merged" && guest !== undefined) await guests.remove(guest);
    guest = await guests.getOrCreate();
    return toIssuedToken(await exchange({ guest_id: guest }));
  }

  async function asCustomer(login: CustomerLogin): Promise<CustomerToken> {
    const guestId = (await guests.get()) ?? undefined;
    const proof = typeof login === "string" ? login : await login({ guestId });
    const data =
      typeof proof === "string" ? await exchange({ customer_access_token: proof, guest_id: guestId }) : proof;
    const { merge } = fieldsOf(data) as { merge?: Merge };
    if (guestId !== undefined && merge?.merged) await guests.remove(guestId);
    return { ...toIssuedToken(data), merge };
  }

  function exchange(shopper: { guest_id?: string | undefined; customer_access_token?: string }): Promise<unknown> {
    return calls.call("tokens.exchangePublishableKey", { publishable_key: publishableKey, ...shopper });
  }

  function changed(): void {
    changes++;
    for (const listener of listeners) listener();
  }

  return Object.defineProperties(
    Object.assign(toClient(calls), {
      owner: "guest" as const,
      async login(login: CustomerLogin) {
        const before = ++changes;
        const { merge, ...issued } = await asCustomer(login);
        // A logout, or another login, since then is what the shopper wanted last.
        if (changes !== before) return merge;
        customer = login;
        calls.tokens.set(issued);
        changed();
        return merge;
      },
      logout() {
        customer = undefined;
        calls.tokens.clear();
        changed();
      },
      async isNewGuest() {
        return !customer && (await guests.get()) === null;
      },
      onOwnerChange(listener: () => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    }),
    { owner: { get: () => (customer ? "customer" : "guest") } },
  );
}

/** @param storage without it, and where it refuses to write, the id lives as long as the client */
function guestIds(storage: ShopperStorage | undefined, key: string) {
  let remembered: string | null = null;
  const get = async () => (await storage?.getItem(key)) ?? remembered;
  return {
    get,
    async getOrCreate() {
      const known = await get();
      if (known !== null) return known;
      const created = randomId();
      try {
        await storage?.setItem(key, created);
      } catch {
        // The storage is full or forbidden.
      }
      // Another tab may have been faster.
      return (await get()) ?? (remembered = created);
    },
    /** Removes an id, unless it has been replaced by another. */
    async remove(id: string) {
      if ((await get()) !== id) return;
      remembered = null;
      await storage?.removeItem(key);
    },
  };
}

/** Returns undefined where there is none, or where the browser's settings forbid its use. */
function browserStorage(): ShopperStorage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
