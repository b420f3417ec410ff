import type { Input, List, RequestOptions, StorefrontClient, WishlistError } from "@wishlist-headless/sdk";
import type { Changes, ItemChanges, ListChanges } from "./actions.ts";
import { createCell, type AnyCell, type Cell } from "./cell.ts";
import { applyToPage, applyToPlaces, DEFAULT_LIST, placesOf, targetOf } from "./changes.ts";
import type { Effect, Page, Place, Unconfirmed } from "./changes.ts";
import { obtain } from "./obtain.ts";
import { attempt, type Requests } from "./requests.ts";

/** The service's limits of one request. */
const MAX_PRODUCTS = 250;
const MAX_ITEMS = 200;

/** What is kept of products and lists that no component shows any more, so that a shopper who goes back sees them at once. */
const KEPT_PRODUCTS = 250;
const KEPT_PAGES = 20;

/** Every shopper has it, even before something is saved in it. */
const EMPTY_LIST: List = {
  listId: DEFAULT_LIST,
  name: null,
  itemCount: 0,
  isDefault: true,
  position: 0,
  shared: false,
  version: 0,
  createdAt: null,
  updatedAt: null,
};

/** Which items of which list, in which order. */
export interface Selection extends Omit<Input<"lists.items.list">, "customerId" | "listId" | "offset"> {
  /** the default list by default */
  listId?: string | undefined;
}

/** What can be done with the items of a list. */
export interface ItemActions extends ItemChanges {
  /** Reads the next items. Calls while it reads have no effect of their own. */
  loadMore: () => Promise<void>;
  /** Reads everything again that the page shows. */
  reload: () => void;
}

/** What can be done with lists. */
export interface ListActions extends ListChanges {
  /** Reads everything again that the page shows. */
  reload: () => void;
}

type ProductCell = Cell<readonly Place[], { places: readonly Place[] }>;
type PageCell = Cell<Page, Page & ItemActions>;
type ListsCell = Cell<readonly List[], { lists: readonly List[]; savedCount: number } & ListActions>;

export type Cells = ReturnType<typeof createCells>;

// React Native has none.
const { document: page }: Partial<typeof globalThis> = globalThis;

/** Creates what the components of a client show. It makes no request before something is watched. */
export function createCells(requests: Requests, unconfirmed: Unconfirmed, { itemChanges, listChanges }: Changes) {
  const { client } = requests;
  const listeners = new Set<() => void>();
  const products = new Map<string, ProductCell>();
  const pages = new Map<string, PageCell>();
  /** how often items are in a list although another one has them, too */
  let repeated = 0;
  let timer: unknown;

  function watch(listener: () => void): () => void {
    listeners.add(listener);
    schedule();
    return () => {
      listeners.delete(listener);
      schedule();
    };
  }

  // What there is to show

  const productOf = (id: string): ProductCell =>
    products.get(id) ??
    createCell(
      {
        key: id,
        empty: [],
        apply: (places: readonly Place[], effect) => applyToPlaces(id, places, effect),
        view: (places) => ({ places }),
      },
      id,
      products,
      watch,
    );

  function pageOf(selection: Selection): PageCell {
    const id = keyOf(selection);
    return pages.get(id) ?? createPage(id, selection, { client, pages, watch, load, itemChanges, reload: reloadAll });
  }

  const reloadAll = () => reload();
  const listActions: ListActions = { ...listChanges, reload: reloadAll };
  const lists: ListsCell = createCell(
    {
      key: "",
      empty: [EMPTY_LIST],
      apply: (all: readonly List[], effect) => effect.lists?.(all) ?? all,
      view(known, { pending }) {
        const all = pending.size > 0 ? known.map(withPendingItems) : known;
        return {
          lists: all,
          savedCount: itemsOf(all) - repeated - repeats("shown") + repeats("known"),
          ...listActions,
        };
      },
    },
    "",
    new Map<string, ListsCell>(),
    watch,
  );
  lists.read = () =>
    load([lists], async (options) => {
      const { lists: all, savedCount } = await client.lists.list({}, options);
      repeated = itemsOf(all) - savedCount;
      return [all];
    });

  /** Returns the lists that have the products that were read. */
  function places(name: "shown" | "known"): readonly Place[] {
    return [...products.values()].flatMap((cell) => cell[name]);
  }

  /** Counts how often a variant of these products is in a list although another one has it, too. */
  function repeats(name: "shown" | "known"): number {
    const ids = places(name).flatMap(({ variantId }) => variantId || []);
    return ids.length - new Set(ids).size;
  }

  /** Counts the items that a list has after the pending changes. */
  function withPendingItems(list: List): List {
    const count = (name: "shown" | "known") => places(name).filter(({ listId }) => listId === list.listId).length;
    return { ...list, itemCount: list.itemCount + count("shown") - count("known") };
  }

  const all = () => [...products.values(), ...pages.values(), lists];

  /** Renders the components for which something differs. */
  function emit(): void {
    for (const cell of all()) cell.show(unconfirmed);
    for (const listener of listeners) listener();
  }

  // Reading

  function schedule(): void {
    if (!page?.hidden) timer ??= setTimeout(() => void flush());
  }

  /** Reads everything that is due, all products together. */
  async function flush(): Promise<void> {
    timer = undefined;
    const { signal } = requests.owner;
    const isNew = await client.isNewGuest().catch(() => false);
    if (signal.aborted) return;
    evict(products, KEPT_PRODUCTS);
    evict(pages, KEPT_PAGES);
    const due = all().filter((cell) => cell.due && cell.watchers > 0);
    if (isNew) for (const cell of due.splice(0)) cell.reset(true);
    const ids: string[] = [];
    for (const { key, read } of due) {
      if (read) void read();
      else ids.push(key);
    }
    while (ids.length > 0) {
      const part = ids.splice(0, MAX_PRODUCTS);
      void load(part.map(productOf), async (options) => {
        const found = await client.lists.containing({ product_id: part }, options);
        return part.map((id) => placesOf(found, id));
      });
    }
    emit();
  }

  async function load<Data>(
    read: Pick<Cell<Data, unknown>, "begin">[],
    work: (options: RequestOptions) => Promise<Data[]>,
  ): Promise<void> {
    const ends = read.map((cell) => cell.begin());
    let failure: WishlistError | undefined;
    const found = await attempt(requests, work, (error) => {
      failure = error;
      // A shop's choice that guests save nothing is no failure of the page.
      if (!requests.isFailing && error.code !== "guest_lists_off") requests.onError?.(error);
    });
    ends.forEach((end, index) => end(found?.[index], failure));
    if (found) schedule();
    emit();
  }

  /** Reads everything again that components show, or one product with all lists. */
  function reload(id?: string): void {
    for (const cell of all()) cell.due ||= !id || !!cell.read || cell.key === id;
    schedule();
  }

  return {
    lists,
    productOf,
    pageOf,
    emit,
    schedule,
    reload,

    /** Keeps what is known of a product that no component shows, because a change of it waits. */
    keep: (id: string): ProductCell => obtain(products, id, () => productOf(id)),

    /** Applies a change that the service has made. */
    confirm: (effect: Effect): void => {
      repeated -= repeats("known");
      for (const cell of all()) cell.confirm(effect);
      repeated += repeats("known");
      // Only the service knows whether several lists have an item.
      lists.due ||= lists.known.length > 1;
      schedule();
      emit();
    },

    /** Forgets everything, because another shopper follows. */
    reset: (): void => {
      repeated = 0;
      for (const cell of all()) cell.reset(false);
    },
  };
}

/** What a page of items needs of the cells. */
interface PageContext extends Pick<Changes, "itemChanges"> {
  client: StorefrontClient;
  pages: Map<string, PageCell>;
  watch: (listener: () => void) => () => void;
  load: (read: [PageCell], work: (options: RequestOptions) => Promise<Page[]>) => Promise<void>;
  reload: () => void;
}

/** @param id its key among the pages */
function createPage(
  id: string,
  { listId = DEFAULT_LIST, limit = 50, ...order }: Selection,
  { client, pages, watch, load, itemChanges, reload }: PageContext,
): PageCell {
  const empty: Page = { items: [], total: 0, hasMore: false };
  let reading = Promise.resolve();
  let size = limit;
  const actions: ItemActions = {
    ...itemChanges(listId),
    async loadMore() {
      if (!cell.shown.hasMore) return;
      size = cell.shown.items.length + limit;
      await cell.read?.();
    },
    reload,
  };
  const cell: PageCell = createCell(
    {
      key: listId,
      empty,
      apply: (data: Page, effect) => applyToPage(listId, data, effect),
      view: (data) => ({ ...data, ...actions }),
      isStale: (effect) =>
        targetOf(effect) === listId &&
        !cell.shown.items.some((item) => effect.variantId === item.variantId && effect.productId === item.productId),
    },
    id,
    pages,
    watch,
  );

  /** Reads the items up to `size`: those that are not loaded, or all when something has changed. */
  cell.read = () =>
    (reading = reading.then(async () => {
      let found = cell.due ? empty : cell.shown;
      const offset = found.items.length;
      if (offset >= size) return;
      await load([cell], async (options) => {
        const part = { ...order, listId, offset, limit: Math.min(size - offset, MAX_ITEMS) };
        for await (const { items, total, has_more: hasMore } of client.lists.items.list(part, options).pages()) {
          // A change moves the items after it into another page: all are read again.
          if (found.items.length > 0 && total !== found.total) return [];
          found = { items: [...found.items, ...items], total, hasMore };
          if (found.items.length >= size) break;
        }
        return [found];
      });
    }));
  return cell;
}

/** Returns the same for selections of the same items in the same order. */
export function keyOf({ listId = DEFAULT_LIST, limit = 50, ...order }: Selection): string {
  const given = Object.entries(order).filter(([, value]) => value !== undefined);
  return JSON.stringify([listId, limit, given.sort()]);
}

/** Evicts what no component shows, except what was shown last and what waits for the service. */
function evict(cells: Map<string, AnyCell>, kept: number): void {
  const unshown = [...cells].filter(([, cell]) => cell.watchers === 0 && !cell.state().pending);
  for (const [id, cell] of unshown.slice(0, -kept)) {
    cells.delete(id);
    // A component that is only hidden can show it again, to another shopper.
    cell.reset(false);
    cell.due = true;
    cell.show({ pending: new Map(), refused: undefined });
  }
}

function itemsOf(lists: readonly List[]): number {
  return lists.reduce((sum, { itemCount }) => sum + itemCount, 0);
}
