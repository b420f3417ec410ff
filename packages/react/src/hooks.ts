import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from "react";
import { createStorefrontClient } from "@wishlist-headless/sdk";
import type { Input, List, StorefrontClient, WishlistError } from "@wishlist-headless/sdk";
import type { State, View } from "./cell.ts";
import { keyOf, type ItemActions, type ListActions, type Selection } from "./cells.ts";
import { idOf, isMeant, type Page } from "./changes.ts";
import { storeOf, type AlertResult, type Store } from "./store.ts";

export type { Selection as WishlistOptions };

const Context = createContext<Store | undefined>(undefined);

/** The client of the page's shopper, created once, outside of components; or with what to create one, which a server component can give. */
type Shopper =
  | { client: StorefrontClient; url?: undefined; publishableKey?: undefined }
  | { client?: undefined; url: string; publishableKey: string };

export type WishlistProviderProps = Shopper & {
  /**
   * shows customers' changes on other devices while the page is visible, over one connection that stays open. Off by default: few pages
   * gain from it, and each costs one of the browser's connections and one of the shop's. Tabs of a browser are in step without it
   */
  live?: boolean | undefined;
  /** called with each error, also of reads, for a message to the shopper or a log */
  onError?: ((error: WishlistError) => void) | undefined;
  children?: ReactNode;
};

/**
 * Gives the components below it a shopper's wishlist.
 *
 * @example
 * const client = createStorefrontClient({ url: "https://wishlist.example.com", publishableKey: "wlp_…" });
 *
 * root.render(
 *   <WishlistProvider client={client} onError={(error) => toast(error.message)}>
 *     <App />
 *   </WishlistProvider>,
 * );
 */
export function WishlistProvider({ live = false, onError, children, ...shopper }: WishlistProviderProps): ReactElement {
  const { client, url, publishableKey } = shopper;
  const store = useMemo(
    () => storeOf(client ?? createStorefrontClient({ url, publishableKey })),
    [client, url, publishableKey],
  );
  useEffect(() => store.configure(live, onError));
  useEffect(() => store.start(), [store]);
  return createElement(Context.Provider, { value: store }, children);
}

function useStore(): Store {
  const store = useContext(Context);
  if (!store) throw new Error("No <WishlistProvider>.");
  return store;
}

/**
 * Returns the client of the page's shopper, for what no hook does: `wishlists.recordCart`, share links, alerts.
 *
 * @example
 * const client = useWishlistClient();
 * // after a product was put into the cart
 * await client.wishlists.recordCart({ event_id: crypto.randomUUID(), items: [{ product_id: productId, variant_id: variantId }] });
 */
export function useWishlistClient(): StorefrontClient {
  return useStore().client;
}

/** Shows a part of the store, and renders again when it differs. On a server and during hydration nothing is known. */
function useCell<Fields>(cell: View<Fields>): Fields & State {
  return useSyncExternalStore(cell.watch, cell.state, cell.initial);
}

/** Whether a product or variant is saved, and how to change it. */
export interface Heart {
  /** whether a list has it, changes that the service has not confirmed included; false while it is unknown */
  saved: boolean;
  /** whether it is known. A press before that counts, too */
  ready: boolean;
  /** whether a change of the product waits for the service */
  pending: boolean;
  /** the lists that have it */
  listIds: string[];
  /** why the last change failed and was taken back */
  error: WishlistError | undefined;
  /** Saves to the default list, or removes from all lists. @returns whether the service made the change; the promise never rejects */
  toggle: () => Promise<boolean>;
  /** Saves to a list, or removes from it: the default list, unless one is given. @returns as `toggle` */
  setSaved: (saved: boolean, listId?: string) => Promise<boolean>;
}

/**
 * Tells whether the shopper has saved a product, in any variant or in one. All products of a page are read by one request.
 * @param productId an id or a GID of Shopify
 * @param variantId the variant to save and to look for; without one, the default variant is saved and any variant counts
 *
 * @example
 * const { saved, toggle } = useIsSaved(product.id);
 *
 * @example a choice of lists
 * const { lists } = useLists();
 * const { listIds, setSaved } = useIsSaved(product.id);
 * lists.map(({ listId, name }) => (
 *   <label key={listId}>
 *     <input
 *       type="checkbox"
 *       checked={listIds.includes(listId)}
 *       onChange={(event) => setSaved(event.target.checked, listId)}
 *     />
 *     {name ?? "Wishlist"}
 *   </label>
 * ));
 */
export function useIsSaved(productId: string, variantId?: string): Heart {
  const store = useStore();
  const product = idOf(productId);
  const variant = idOf(variantId);
  const cell = useMemo(() => store.productOf(product), [store, product]);
  const { places: all, status, pending, error } = useCell(cell);
  const isUncertain = !pending && !!variant && all.some((place) => !place.variantId);
  // Only the service knows which variant the default variant is.
  useEffect(() => {
    if (isUncertain) store.reload(product);
  }, [store, product, isUncertain]);
  const places = all.filter((place) => isMeant({ variantId: variant }, place));
  return {
    saved: places.length > 0,
    ready: pending || status === "ready",
    pending,
    error,
    listIds: [...new Set(places.map(({ listId }) => listId))],
    toggle: () => store.toggle(product, variant),
    setSaved: (saved, listId) => store.save(saved, { productId: product, variantId: variant }, listId),
  };
}

export interface ShopperLists extends ListActions, State {
  /** the default list first, then by position */
  lists: readonly List[];
  /** the saved variants of all lists, each counted once, however many lists have it: for a counter */
  savedCount: number;
}

/**
 * Shows the shopper's lists, and changes them. `useIsSaved` tells which of them have a product.
 *
 * @example
 * const { savedCount } = useLists();
 * return <a href="/wishlist">Wishlist ({savedCount})</a>;
 */
export function useLists(): ShopperLists {
  return useCell(useStore().lists);
}

/** The loaded items; one that is added appears once the service has saved it. `total` counts all items that match `q` and `available`. */
export interface Wishlist extends Page, ItemActions, State {}

/**
 * Shows a list of the shopper, and changes it.
 *
 * @example
 * const { items, remove, hasMore, loadMore, status } = useWishlist({ expand: "product", sort: "price" });
 * if (status === "loading") return <Skeleton />;
 * return (
 *   <>
 *     {items.map((item) => (
 *       <Card key={item.variantId} product={item.product} onRemove={() => remove(item)} />
 *     ))}
 *     {hasMore && <button onClick={loadMore}>More</button>}
 *   </>
 * );
 */
export function useWishlist(options: Selection = {}): Wishlist {
  const store = useStore();
  // Options are often created anew in each render.
  return useCell(useMemo(() => store.pageOf(options), [store, keyOf(options)]));
}

/** What the shopper wants to hear of a variant: a guest's needs `email`, a customer's must be without one. */
export type WantedAlert = Pick<Input<"alerts.requests.create">, "kind" | "email" | "target_price" | "locale">;

/** A request for an alert about one variant. */
export interface AlertRequest extends AlertResult {
  /** whether a request waits for the service */
  pending: boolean;
  /** Asks for the alert. A call while one is pending does nothing. @returns whether the service took it; the promise never rejects */
  ask: (wanted: WantedAlert) => Promise<boolean>;
}

/**
 * Asks for an alert about a variant: when it is back in stock, or cheaper. `state` is `confirm` after a guest's request: the address gets an email
 * with a link, whatever is known of it. It is `active` after a customer's: the item is in the default list, and the alert is on.
 * @param productId an id or a GID of Shopify
 * @param variantId as `productId`; with another one the hook begins anew
 *
 * @example
 * const { ask, state, pending, error } = useAlertRequest(product.id, variant.id);
 * if (state === "confirm") return <p role="status">Check your inbox and press the link in our email.</p>;
 * return (
 *   <form
 *     onSubmit={(event) => {
 *       event.preventDefault();
 *       const email = String(new FormData(event.currentTarget).get("email"));
 *       void ask({ kind: "back_in_stock", email });
 *     }}
 *   >
 *     <label>Email <input type="email" name="email" autoComplete="email" required /></label>
 *     <button disabled={pending}>Tell me when it is back</button>
 *     <p role="status">{error?.message}</p>
 *   </form>
 * );
 */
export function useAlertRequest(productId: string, variantId: string): AlertRequest {
  const store = useStore();
  const [product_id, variant_id] = [idOf(productId), idOf(variantId)];
  const key = `${product_id}/${variant_id}`;
  const [last, setLast] = useState<AlertResult & { key: string; pending: boolean }>({ key, pending: false });
  // Two presses can come before a render.
  const pendingKey = useRef("");
  const { state, error, pending } = last.key === key ? last : { pending: false };
  const ask = async (wanted: WantedAlert): Promise<boolean> => {
    if (pendingKey.current === key) return false;
    pendingKey.current = key;
    setLast({ key, pending: true });
    const result = await store.ask({ ...wanted, product_id, variant_id });
    if (pendingKey.current === key) pendingKey.current = "";
    // Another variant may have been chosen meanwhile.
    setLast((now) => (now.key === key ? { ...result, key, pending: false } : now));
    return result.state !== undefined;
  };
  return { state, error, pending, ask };
}
