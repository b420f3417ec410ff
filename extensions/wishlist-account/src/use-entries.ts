import { useEffect, useState } from "preact/hooks";
import type { Item, List } from "@wishlist-headless/sdk";
import { askForAlert, readRequests, withdrawRequest, type Requests } from "./alerts.ts";
import { nameOf } from "./messages.ts";
import { failureOf, service, type Failure } from "./service.ts";
import { t } from "./texts.ts";

const PAGE_SIZE = 25;

/** An item of the list; a removed one stays in its place until the list is read again, so that it can be taken back. */
export interface Entry {
  item: Item;
  removed: boolean;
  busy: boolean;
}

/** The entries read so far. */
interface Items {
  entries: Entry[];
  hasMore: boolean;
}

interface ShownFailure {
  heading: string;
  error: Failure;
  retry?: () => void;
}

interface Listeners {
  onCountChange: (listId: string, change: number) => void;
  /** called when an item has left the list */
  onLeave: (item: Item) => void;
  /** called when the list no longer exists */
  onListGone: () => void;
  /** called when the customer has asked for an alert about an item, or withdrawn one */
  onRequestsChange: (after: Requests) => void;
}

/** The items of a list, and what can be done with them. */
export interface Entries {
  /** undefined before the first page was read */
  items: Items | undefined;
  loading: boolean;
  failure: ShownFailure | undefined;
  dismissFailure: () => void;
  readMore: () => Promise<void>;
  remove: (item: Item) => Promise<void>;
  takeBack: (item: Item) => Promise<void>;
  move: (item: Item, to: List) => Promise<void>;
  /** asks for an alert when the item is back in stock */
  ask: (item: Item) => Promise<void>;
  /**
   * Asks for an alert about a lower price.
   * @param targetPrice undefined for every price that counts as lower
   * @throws WishlistError
   */
  askForPrice: (item: Item, targetPrice: string | undefined) => Promise<void>;
  stop: (item: Item, request: Requests["requests"][number]) => Promise<void>;
}

export const keyOf = ({ productId, variantId }: Item): string => `${productId} ${variantId}`;

export const titleOf = (item: Item): string => item.product?.title ?? t("unknown_product");

/** Reads the items of a list page by page, and changes them at the service. */
export function useEntries(listId: string, listeners: Listeners): Entries {
  const { onCountChange, onLeave, onListGone, onRequestsChange } = listeners;
  const [items, setItems] = useState<Items>();
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<ShownFailure>();

  function fail(heading: string, thrown: unknown, retry?: () => void): void {
    const error = failureOf(thrown);
    if (error.code === "list_not_found") onListGone();
    else setFailure({ heading, error, ...(retry && { retry }) });
  }

  /** Reads the next page. Removed items no longer count, in the service either. */
  async function readMore(): Promise<void> {
    if (loading) return;
    setLoading(true);
    try {
      const known = items?.entries ?? [];
      const present = known.filter(({ removed }) => !removed).length;
      const page = await service.lists.items.list({ listId, expand: "product", limit: PAGE_SIZE, offset: present });
      const keys = new Set(known.map(({ item }) => keyOf(item)));
      // Items that were saved elsewhere in the meantime shift the pages.
      const added = page.items.filter((item) => !keys.has(keyOf(item)));
      setItems({
        entries: [...known, ...added.map((item) => ({ item, removed: false, busy: false }))],
        hasMore: page.has_more,
      });
      setFailure(undefined);
    } catch (error) {
      fail(t("errors.not_loaded"), error, () => void readMore());
    } finally {
      setLoading(false);
    }
  }
  useEffect(() => void readMore(), []);

  function update(item: Item, values: Partial<Entry>): void {
    const updated = (entry: Entry): Entry => (keyOf(entry.item) === keyOf(item) ? { ...entry, ...values } : entry);
    setItems((before) => before && { ...before, entries: before.entries.map(updated) });
  }

  /** Changes one item at the service, and shows the change when it is made. */
  async function run(item: Item, heading: string, work: () => Promise<unknown>, done: () => void): Promise<void> {
    update(item, { busy: true });
    try {
      await work();
      setFailure(undefined);
      done();
    } catch (error) {
      fail(heading, error);
    } finally {
      update(item, { busy: false });
    }
  }

  async function changeRequests(change: Promise<unknown>): Promise<void> {
    await change;
    onRequestsChange(await readRequests());
  }

  return {
    items,
    loading,
    failure,
    dismissFailure: () => setFailure(undefined),
    readMore,
    remove: (item) =>
      run(
        item,
        t("errors.not_removed"),
        () => service.lists.items.remove({ listId, productId: item.productId, variant_id: item.variantId }),
        () => {
          update(item, { removed: true });
          onLeave(item);
          onCountChange(listId, -1);
          void shopify.toast.show(t("removed", { title: titleOf(item) }));
        },
      ),
    takeBack: (item) =>
      run(
        item,
        t("errors.not_restored"),
        () => {
          const { productId, variantId, quantity, note, properties } = item;
          const details = { quantity, note, properties };
          return service.lists.items.add({ listId, product_id: productId, variant_id: variantId, ...details });
        },
        () => {
          update(item, { removed: false });
          onCountChange(listId, 1);
          void shopify.toast.show(t("restored", { title: titleOf(item) }));
        },
      ),
    move: (item, to) =>
      run(
        item,
        t("errors.not_moved"),
        () => {
          const { productId, variantId } = item;
          return service.lists.items.move({ listId, items: [{ productId, variantId }], to: to.listId });
        },
        () => {
          setItems((before) => before && { ...before, entries: before.entries.filter((entry) => entry.item !== item) });
          onLeave(item);
          onCountChange(listId, -1);
          onCountChange(to.listId, 1);
          void shopify.toast.show(t("moved", { title: titleOf(item), list: nameOf(to) }));
        },
      ),
    ask: (item) =>
      run(
        item,
        t("errors.not_asked"),
        () => changeRequests(askForAlert(item, { kind: "back_in_stock" })),
        () => void shopify.toast.show(t("ask.waits_for_stock")),
      ),
    async askForPrice(item, target_price) {
      await changeRequests(askForAlert(item, { kind: "price_dropped", target_price }));
      void shopify.toast.show(t("alerts.saved"));
    },
    stop: (item, request) =>
      run(
        item,
        t("errors.not_stopped"),
        () => changeRequests(withdrawRequest(request)),
        () => void shopify.toast.show(t("ask.stopped")),
      ),
  };
}
