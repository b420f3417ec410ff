import { useEffect, useRef, useState } from "preact/hooks";
import type { Item, List } from "@wishlist-headless/sdk";
import { askForAlert, readRequests, withdrawRequest, type Requests } from "./alerts.ts";
import { nameOf } from "./messages.ts";
import { failureOf, service, type Failure } from "./service.ts";
import { showToast, t } from "./texts.ts";
import { ORDERS, type View } from "./view.ts";

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
  /** items that are in the view, on all pages */
  total: number;
  hasMore: boolean;
}

/** What a customer can change of an item. */
export interface Details {
  quantity: number;
  note: string;
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
  /** @throws WishlistError */
  edit: (item: Item, details: Details) => Promise<void>;
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

/** Reads the items of a list that a view shows, page by page, and changes them at the service. */
export function useEntries(listId: string, view: View, listeners: Listeners): Entries {
  const { onCountChange, onLeave, onListGone, onRequestsChange } = listeners;
  const [items, setItems] = useState<Items>();
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<ShownFailure>();
  /** the number of the last reading: what an earlier one of another view finds is shown no more */
  const readings = useRef(0);

  function fail(heading: string, thrown: unknown, retry?: () => void): void {
    const error = failureOf(thrown);
    if (error.code === "list_not_found") onListGone();
    else setFailure({ heading, error, ...(retry && { retry }) });
  }

  /** Reads the page after the known entries. Removed items no longer count, in the service either. */
  async function read(known: readonly Entry[]): Promise<void> {
    const reading = ++readings.current;
    const { order, available, q } = view;
    setLoading(true);
    try {
      const page = await service.lists.items.list({
        listId,
        expand: "product",
        limit: PAGE_SIZE,
        offset: known.filter(({ removed }) => !removed).length,
        ...ORDERS[order],
        ...(available && { available: "true" }),
        ...(q !== "" && { q }),
      });
      if (reading !== readings.current) return;
      const keys = new Set(known.map(({ item }) => keyOf(item)));
      // Items that were saved elsewhere in the meantime shift the pages.
      const added = page.items.filter((item) => !keys.has(keyOf(item)));
      setItems({
        entries: [...known, ...added.map((item) => ({ item, removed: false, busy: false }))],
        total: page.total,
        hasMore: page.has_more,
      });
      setFailure(undefined);
    } catch (error) {
      if (reading === readings.current) fail(t("errors.not_loaded"), error, () => void read(known));
    } finally {
      if (reading === readings.current) setLoading(false);
    }
  }
  useEffect(() => void read([]), [view]);

  /** Counts what has left the list or come back. */
  function count(change: number): void {
    setItems((before) => before && { ...before, total: before.total + change });
    onCountChange(listId, change);
  }

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
    async readMore() {
      if (!loading) await read(items?.entries ?? []);
    },
    remove: (item) =>
      run(
        item,
        t("errors.not_removed"),
        () => service.lists.items.remove({ listId, productId: item.productId, variant_id: item.variantId }),
        () => {
          update(item, { removed: true });
          onLeave(item);
          count(-1);
          showToast("removed", { title: titleOf(item) });
        },
      ),
    takeBack: (item) =>
      run(
        item,
        t("errors.not_restored"),
        () => {
          const { productId, variantId, quantity, note, properties, position } = item;
          const details = {
            ...(quantity !== undefined && { quantity }),
            ...(note !== undefined && { note }),
            ...(properties && { properties }),
          };
          const added = { op: "add", productId, variantId, ...details } as const;
          if (position === undefined) return service.lists.items.batch({ listId, operations: [added] });
          // An item is added without a place in the custom order.
          const placed = { op: "update", productId, variantId, position } as const;
          return service.lists.items.batch({ listId, operations: [added, placed] });
        },
        () => {
          update(item, { removed: false });
          count(1);
          showToast("restored", { title: titleOf(item) });
        },
      ),
    async edit(item, { quantity, note }) {
      const { productId, variantId, quantity: _, note: _1, ...rest } = item;
      await service.lists.items.update({
        listId,
        productId,
        variant_id: variantId,
        quantity: quantity === 1 ? null : quantity,
        note: note || null,
      });
      const details = { ...(quantity > 1 && { quantity }), ...(note !== "" && { note }) };
      update(item, { item: { ...rest, productId, variantId, ...details } });
      showToast("edit.saved");
    },
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
          count(-1);
          onCountChange(to.listId, 1);
          showToast("moved", { title: titleOf(item), list: nameOf(to) });
        },
      ),
    ask: (item) =>
      run(
        item,
        t("errors.not_asked"),
        () => changeRequests(askForAlert(item, { kind: "back_in_stock" })),
        () => showToast("ask.waits_for_stock"),
      ),
    async askForPrice(item, target_price) {
      await changeRequests(askForAlert(item, { kind: "price_dropped", target_price }));
      showToast("alerts.saved");
    },
    stop: (item, request) =>
      run(
        item,
        t("errors.not_stopped"),
        () => changeRequests(withdrawRequest(request)),
        () => showToast("ask.stopped"),
      ),
  };
}
