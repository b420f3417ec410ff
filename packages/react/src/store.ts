import { isWishlistError, WishlistError } from "@wishlist-headless/sdk";
import type { Change, Input, Item, List, Output, RequestOptions, StorefrontClient } from "@wishlist-headless/sdk";
import { applyToPage, applyToPlaces, isMeant, placesOf, setFields, targetOf } from "./changes.ts";
import type { Effect, ItemDetails, Page, PendingChange, Place } from "./changes.ts";

/** The service's limits of one request. */
const MAX_PRODUCTS = 250;
const MAX_ITEMS = 200;

const DEFAULT_LIST = "default";

/** `loading` until the first response; `failed` without one. After a later failure what was read stays, and the status is `ready`. */
export type Status = "loading" | "ready" | "failed";

export interface State {
  status: Status;
  /** whether a change waits for the service */
  pending: boolean;
  /** why the last change failed, or the last read */
  error: WishlistError | undefined;
}

/** Which items of which list, in which order. */
export interface Selection extends Omit<Input<"lists.items.list">, "customerId" | "listId" | "offset"> {
  /** the default list by default */
  listId?: string | undefined;
}

/** What an item can be added with. */
export type AddDetails = Pick<Input<"lists.items.add">, "quantity" | "note" | "properties">;

/** An item by its ids or GIDs; without a variant, every saved variant of the product. */
export interface ItemIds {
  productId: string;
  variantId?: string | undefined;
}

/** What is known of a product, a list's items or the lists. */
interface Cell<Data> {
  /** the product or list whose changes it shows */
  readonly key: string;
  /** what the service has confirmed; until it was read, only what its changes tell */
  known: Data;
  /** whether it was read */
  ready?: boolean;
  /** what is known, including changes that the service has not confirmed */
  shown: Data;
  watchers: number;
  /** whether it must be read, again or for the first time */
  due: boolean;
  /** Calculates what components show. */
  show: () => void;
  /** Applies a change that the service has made. */
  confirm: (effect: Effect) => void;
  /** Notes that a read begins. @returns a function for its result, which has no effect once another read has begun */
  begin: () => (data: Data | undefined, error?: WishlistError) => void;
  /** Forgets what is known. @param isNew whether there is nothing to read, as for a new guest */
  reset: (isNew: boolean) => void;
  /** Reads it, unless it is read together with others. */
  read?: () => Promise<void>;
}

/** A cell as components see it. */
export interface View<Fields> {
  /** Returns the state before anything is known, as on a server. */
  readonly initial: () => Fields & State;
  readonly state: () => Fields & State;
  /** Reads it while a component shows it. @returns a function that ends it */
  readonly watch: (listener: () => void) => () => void;
}

/** What can be done with the items of a list. */
export interface ItemActions {
  /** Reads the next items. Calls while it reads have no effect of their own. */
  loadMore: () => Promise<void>;
  /** Reads everything again that the page shows. */
  reload: () => void;
  /** Adds an item; without a variant, the product's default variant. @returns whether it succeeded; the promise never rejects */
  add: (item: ItemIds & AddDetails) => Promise<boolean>;
  /** Removes an item. @returns as `add` */
  remove: (item: ItemIds) => Promise<boolean>;
  /** Changes details of an item; null clears one. @returns as `add` */
  update: (item: ItemIds, details: ItemDetails) => Promise<boolean>;
  /** Moves an item to another list. @returns as `add` */
  move: (item: Pick<Item, "productId" | "variantId">, toListId: string) => Promise<boolean>;
}

/** What can be done with lists. */
export interface ListActions {
  /** Creates a named list, in a plan that has them. @returns undefined on failure (`plan_required`, `list_name_taken`); the promise never rejects */
  create: (name: string) => Promise<List | undefined>;
  /** Renames a list. @returns as `create` */
  rename: (listId: string, name: string) => Promise<List | undefined>;
  /** Deletes a named list with its items. @returns as `create` */
  remove: (listId: string) => Promise<Output<"lists.delete"> | undefined>;
  /** Reads everything again that the page shows. */
  reload: () => void;
}

// React Native has neither.
const { document: page, BroadcastChannel: Channel }: Partial<typeof globalThis> = globalThis;

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

const stores = new WeakMap<StorefrontClient, Store>();

/** Returns the store of a client, which all its providers share. */
export function storeOf(client: StorefrontClient): Store {
  return obtain(stores, client, () => createStore(client));
}

/** Returns the value of a key, and makes it first if there is none. */
function obtain<Key, Value>(
  map: { get: (key: Key) => Value | undefined; set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

export type Store = ReturnType<typeof createStore>;

/** Creates what the components of a client share. It makes no request before something is watched or changed. */
function createStore(client: StorefrontClient) {
  const listeners = new Set<() => void>();
  const productCells = new Map<string, Cell<readonly Place[]> & View<{ places: readonly Place[] }>>();
  const pages = new Map<string, Cell<Page> & View<Page & ItemActions>>();
  let owner = new AbortController();
  const pending = new Map<string, PendingChange>();
  const running = new Map<string, Promise<boolean>>();
  let former = client.owner;
  /** whether changes of several queues have been sent at the same time */
  let isParallel = false;
  /** how often items are in a list although another one has them, too */
  let repeated = 0;
  /** whether the last request failed */
  let isFailing = false;
  /** the last change that failed */
  let refused: (PendingChange & { error: WishlistError }) | undefined;
  let onError: ((error: WishlistError) => void) | undefined;
  let timer: unknown;
  let providers = 0;
  let live = false;
  let channel: BroadcastChannel | undefined;
  let stream: AbortController | undefined;

  /**
   * @param key the product or list whose changes it shows
   * @param view what components get beside the state
   * @param isStale whether it must be read again after a change
   */
  function createCell<Data extends object, Fields extends object>(
    key: string,
    empty: Data,
    apply: (data: Data, effect: Effect) => Data,
    view: (data: Data) => Fields,
    isStale?: (effect: Effect) => boolean,
  ): Cell<Data> & View<Fields> {
    const initial: Fields & State = { ...view(empty), status: "loading", pending: false, error: undefined };
    let state = initial;
    let failure: WishlistError | undefined;
    let recent: Effect[] = [];
    const isOwn = (change: PendingChange | undefined) => change?.queue === key || change?.listId === key;
    const cell: Cell<Data> & View<Fields> = {
      key,
      known: empty,
      shown: empty,
      initial: () => initial,
      state: () => state,
      watchers: 0,
      due: true,
      watch(listener) {
        listeners.add(listener);
        // It may have changed since it was shown last.
        if (cell.watchers++ === 0 && cell.read) cell.due = true;
        schedule();
        return () => {
          listeners.delete(listener);
          cell.watchers--;
        };
      },
      show() {
        const changes = [...pending.values()];
        cell.shown = changes.reduce(apply, cell.known);
        const next: Fields & State = {
          ...view(cell.shown),
          status: cell.ready ? "ready" : failure ? "failed" : "loading",
          pending: changes.some(isOwn),
          error: isOwn(refused) ? refused?.error : failure,
        };
        // React compares by identity.
        if ((Object.keys(next) as (keyof typeof next)[]).some((name) => next[name] !== state[name])) state = next;
      },
      confirm(effect) {
        if (isStale?.(effect)) cell.due = true;
        recent.push(effect);
        cell.known = apply(cell.known, effect);
      },
      begin() {
        const mine: Effect[] = (recent = []);
        cell.due = false;
        return (data, error) => {
          if (recent !== mine) return;
          failure = error;
          // The service may have made these changes after it had read.
          if (data) {
            cell.known = mine.reduce(apply, data);
            cell.ready = true;
          } else cell.due = true;
        };
      },
      reset(isNew) {
        cell.known = empty;
        cell.ready = isNew;
        cell.due = false;
        failure = undefined;
        recent = [];
      },
    };
    return cell;
  }

  const reloadAll = () => reload();

  const listActions: ListActions = {
    async create(name) {
      const created = await changeLists(name, {}, (options) => client.lists.create({ name }, options));
      if (created) {
        confirm({ lists: (all) => [...all.filter(({ listId }) => listId !== created.listId), created] });
      }
      return created;
    },
    rename: (listId, name) =>
      changeLists("name", { listId, lists: setFields({ [listId]: { name } }) }, (options) =>
        client.lists.update({ listId, name }, options),
      ),
    remove: (listId) =>
      changeLists(
        "",
        { listId, saved: false, lists: (all) => all.filter((list) => list.listId !== listId) },
        (options) => client.lists.delete({ listId }, options),
      ),
    reload: reloadAll,
  };

  const lists = createCell<readonly List[], { lists: readonly List[]; savedCount: number } & ListActions>(
    "",
    [EMPTY_LIST],
    (all, effect) => effect.lists?.(all) ?? all,
    (known) => {
      const all = pending.size > 0 ? known.map(withPendingItems) : known;
      return { lists: all, savedCount: itemsOf(all) - repeated - repeats("shown") + repeats("known"), ...listActions };
    },
  );
  lists.read = () =>
    load([lists], async (options) => {
      const { lists: all, savedCount } = await client.lists.list({}, options);
      repeated = itemsOf(all) - savedCount;
      return [all];
    });

  /** Returns the lists that have the products that were read. */
  function places(name: "shown" | "known"): readonly Place[] {
    return [...productCells.values()].flatMap((cell) => cell[name]);
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

  const productOf = (id: string) =>
    obtain(productCells, id, () =>
      createCell<readonly Place[], { places: readonly Place[] }>(
        id,
        [],
        (places, effect) => applyToPlaces(id, places, effect),
        (places) => ({ places }),
      ),
    );

  function createPage({
    listId = DEFAULT_LIST,
    limit = 50,
    ...order
  }: Selection): Cell<Page> & View<Page & ItemActions> {
    const empty: Page = { items: [], total: 0, hasMore: false };
    let reading = Promise.resolve();
    let size = limit;

    const actions: ItemActions = {
      async loadMore() {
        if (!cell.shown.hasMore) return;
        size = cell.shown.items.length + limit;
        await cell.read?.();
      },
      reload: reloadAll,
      add: ({ productId, variantId, ...details }) => save(true, { productId, variantId }, listId, details),
      remove: (item) => save(false, item, listId),
      update: (item, details) =>
        changeItem("details", listId, item, { details }, async (ids, options) => {
          await client.lists.items.update({ ...details, ...ids }, options);
          return {};
        }),
      move: ({ productId, variantId }, to) =>
        changeItem(to, listId, { productId, variantId }, { to, saved: false }, async (_, options) => {
          const items = [{ productId, variantId }];
          const { itemCount, targetItemCount } = await client.lists.items.move({ listId, to, items }, options);
          return { [listId]: { itemCount }, [to]: { itemCount: targetItemCount } };
        }),
    };

    const cell: Cell<Page> & View<Page & ItemActions> = createCell<Page, Page & ItemActions>(
      listId,
      empty,
      (data, effect) => applyToPage(listId, data, effect),
      (data) => ({ ...data, ...actions }),
      (effect) =>
        targetOf(effect) === listId &&
        !cell.shown.items.some((item) => effect.variantId === item.variantId && effect.productId === item.productId),
    );

    /** Reads the items up to `size`: those that are not loaded, or all when something has changed. */
    cell.read = () =>
      (reading = reading.then(async () => {
        let found = cell.due ? empty : cell.shown;
        const offset = found.items.length;
        if (offset >= size) return;
        await load([cell], async (options) => {
          const limit = Math.min(size - offset, MAX_ITEMS);
          for await (const { items, total, has_more: hasMore } of client.lists.items
            .list({ ...order, listId, offset, limit }, options)
            .pages()) {
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

  const pageOf = (selection: Selection) => obtain(pages, JSON.stringify(selection), () => createPage(selection));

  const cells = () => [...productCells.values(), ...pages.values(), lists];

  /** Renders the components for which something differs. */
  function emit(): void {
    for (const cell of cells()) cell.show();
    for (const listener of listeners) listener();
  }

  /** Makes requests for the present owner. @returns undefined after a failure, and when the signal was aborted meanwhile */
  async function attempt<T>(
    work: (options: { signal: AbortSignal }) => Promise<T>,
    failed: (error: WishlistError) => void,
    { signal } = owner,
  ): Promise<T | undefined> {
    try {
      const data = await work({ signal });
      isFailing = false;
      if (!signal.aborted) return data;
    } catch (error) {
      // The app's function that gets the customer's access token can fail with any error.
      if (signal.aborted) return undefined;
      failed(
        isWishlistError(error)
          ? error
          : new WishlistError({ code: "network_error", message: String(error), cause: error }),
      );
      isFailing = true;
    }
    return undefined;
  }

  // Reading

  function schedule(): void {
    if (!page?.hidden) timer ??= setTimeout(() => void flush());
  }

  /** Reads everything that is due, all products together. */
  async function flush(): Promise<void> {
    timer = undefined;
    const { signal } = owner;
    const isNew = await client.isNewGuest().catch(() => false);
    if (signal.aborted) return;
    const due = cells().filter((cell) => cell.due && cell.watchers > 0);
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

  async function load<Data>(read: Cell<Data>[], work: (options: RequestOptions) => Promise<Data[]>): Promise<void> {
    const ends = read.map((cell) => cell.begin());
    let failure: WishlistError | undefined;
    const found = await attempt(work, (error) => {
      failure = error;
      // A shop's choice that guests save nothing is no failure of the page.
      if (!isFailing && error.code !== "guest_lists_off") onError?.(error);
    });
    ends.forEach((end, index) => end(found?.[index], failure));
    if (found) schedule();
    emit();
  }

  /** Reads everything again that components show, or one product with all lists. */
  function reload(id?: string): void {
    for (const cell of cells()) cell.due ||= !id || !!cell.read || cell.key === id;
    schedule();
  }

  // Changing

  function confirm(effect: Effect): void {
    repeated -= repeats("known");
    for (const cell of cells()) cell.confirm(effect);
    repeated += repeats("known");
    // Only the service knows whether several lists have an item.
    lists.due ||= lists.known.length > 1;
    schedule();
    emit();
  }

  /** Sends the changes of a queue one after another, so that the last one wins. @returns whether the service has made them */
  async function run(queue: string): Promise<boolean> {
    // A second press of the same moment replaces the first one.
    await Promise.resolve();
    let failure: WishlistError | undefined;
    let made: object | undefined;
    for (const [key, change] of pending) {
      if (change.queue !== queue) continue;
      const { signal } = owner;
      const isLast = () => pending.get(key) === change;
      made = await attempt(change.send, (error) => {
        if (isLast()) refused = { ...change, error: (failure = error) };
      });
      if (isLast()) {
        pending.delete(key);
        // A guest has logged in: the change is sent again, as the customer's.
        if (signal.aborted) pending.set(key, change);
      }
      if (made) {
        channel?.postMessage(queue);
        confirm(change);
      } else emit();
    }
    running.delete(queue);
    // Responses to several queues may have overtaken each other, with older counts.
    lists.due ||= isParallel && running.size === 0;
    isParallel = running.size > 0;
    if (failure) {
      // The service may have made the change, or others may have.
      reload(queue);
      onError?.(failure);
    }
    return !!made && !failure;
  }

  /** Shows a change at once and sends it. @returns whether the service has made it, and the changes of the queue that were made meanwhile */
  async function change(kind: string, wanted: PendingChange): Promise<boolean> {
    const { queue, listId, variantId } = wanted;
    const key = JSON.stringify([queue, listId, variantId, kind]);
    // The last change is the last one to be sent.
    pending.delete(key);
    pending.set(key, wanted);
    if (refused?.queue === queue) refused = undefined;
    const sent = obtain(running, queue, () => run(queue));
    emit();
    return sent;
  }

  /** Changes an item of a list. @param work returns the items that lists have afterwards */
  function changeItem(
    kind: string,
    listId: string,
    item: ItemIds,
    effect: Effect,
    work: (
      ids: { listId: string; productId: string; variant_id: string | undefined },
      options: RequestOptions,
    ) => Promise<Record<string, Partial<List>>>,
  ): Promise<boolean> {
    const productId = idOf(item.productId);
    // oxlint-disable-next-line typescript/prefer-nullish-coalescing -- An empty id means that the variant is not known.
    const variantId = idOf(item.variantId) || undefined;
    // An item that is removed is there, also when the product has not been read.
    const product = productOf(productId);
    if (effect.saved === false && !product.ready) {
      product.known = applyToPlaces(productId, product.known, { listId, variantId, saved: true });
    }
    const wanted: PendingChange = {
      ...effect,
      queue: productId,
      listId,
      productId,
      variantId,
      async send(options) {
        return (wanted.lists = setFields(await work({ listId, productId, variant_id: variantId }, options)));
      },
    };
    return change(kind, wanted);
  }

  /** Adds or removes an item. */
  function save(saved: boolean, item: ItemIds, listId = DEFAULT_LIST, details?: AddDetails): Promise<boolean> {
    return changeItem("", listId, item, { saved }, async ({ productId, ...ids }, options) => {
      const { itemCount } = saved
        ? await client.lists.items.add({ ...details, ...ids, product_id: productId }, options)
        : await client.lists.items.remove({ productId, ...ids }, options);
      return { [listId]: { itemCount } };
    });
  }

  /** Saves to the default list, or removes from all lists. A second press brings back what the first one removes. */
  function toggle(productId: string, variantId?: string): Promise<boolean> {
    const product = productOf(productId);
    const find = (all: readonly Place[]) => all.filter((place) => isMeant({ variantId }, place));
    const saved = find(product.shown);
    const removed = find(product.known);
    const isSaved = saved.length > 0;
    const changed: Effect[] = isSaved ? saved : removed.length > 0 ? removed : [{ variantId }];
    // They are in one queue, and have the same result.
    return changed.reduce((_, one) => save(!isSaved, { ...one, productId }, one.listId), Promise.resolve(true));
  }

  /** Changes the lists themselves, and shows the effect at once. */
  async function changeLists<T extends object>(
    kind: string,
    effect: Effect,
    work: (options: RequestOptions) => Promise<T>,
  ): Promise<T | undefined> {
    let data: T | undefined;
    await change(kind, { ...effect, queue: "", send: async (options) => (data = await work(options)) });
    return data;
  }

  // Following the owner, other tabs and other devices

  function receive({ type, listId, item, itemCount }: Change): void {
    // Only the lists tell the name and the order.
    lists.due ||= !item;
    confirm({
      listId,
      productId: item?.productId,
      variantId: item?.variantId,
      saved: /removed|deleted/.test(type) ? false : item && true,
      details: item && { quantity: item.quantity, note: item.note, properties: item.properties },
      lists: setFields({ [listId]: { itemCount } }),
    });
  }

  async function follow(controller: AbortController): Promise<void> {
    // What has changed before. The stream begins first, so that no change falls between them.
    reload();
    await attempt(
      async (options) => {
        for await (const { change } of client.changes.stream({}, options)) {
          if (options.signal.aborted) return;
          receive(change);
        }
      },
      (error) => {
        stream = undefined;
        // The connection was lost for too long.
        if (error.code === "cursor_expired") resume();
        else onError?.(error);
      },
      controller,
    );
  }

  /** Reads what is due while the page is visible, and opens the stream. Guests' changes are not in it. */
  function resume(): void {
    schedule();
    if (live && client.owner === "customer" && !page?.hidden) {
      if (!stream) void follow((stream = new AbortController()));
    } else {
      stream?.abort();
      stream = undefined;
    }
  }

  // Nothing of the former customer stays, and no request of theirs is repeated with the next owner's token.
  client.onOwnerChange(() => {
    owner.abort();
    stream?.abort();
    owner = new AbortController();
    // A guest who logs in stays the same shopper, whose lists the service merges: their hearts stay until they are read again.
    if (former === "customer") {
      pending.clear();
      repeated = 0;
      for (const cell of cells()) cell.reset(false);
    }
    former = client.owner;
    refused = stream = undefined;
    reload();
    emit();
    resume();
  });

  return {
    client,
    lists,
    productOf,
    pageOf,
    reload,
    save,
    toggle,

    /** Sets what a provider asks for. */
    configure(isLive: boolean, report: typeof onError): void {
      live = isLive;
      onError = report;
      resume();
    },

    /** Follows other tabs, and the change feed if the provider asks for it. @returns a function that ends it */
    start(): () => void {
      if (providers++ === 0 && Channel) {
        // Another tab may have changed something while no component was shown.
        reload();
        channel = new Channel("wishlist");
        // A message has no state, because the other tab may have another owner: each reads its own.
        channel.onmessage = ({ data }: MessageEvent<string>) => {
          if (!stream) reload(data);
        };
      }
      page?.addEventListener("visibilitychange", resume);
      resume();
      return () => {
        if (--providers > 0) return;
        page?.removeEventListener("visibilitychange", resume);
        channel?.close();
        channel = undefined;
        live = false;
        resume();
      };
    },
  };
}

function itemsOf(lists: readonly List[]): number {
  return lists.reduce((sum, { itemCount }) => sum + itemCount, 0);
}

/** Returns the id in a GID of Shopify, as the service returns it, or the id itself. */
export function idOf<Id extends string | undefined>(id: Id): Id | string {
  return id?.replace(/^gid:.*\//, "") ?? id;
}
