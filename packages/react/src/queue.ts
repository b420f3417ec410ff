import type { List, RequestOptions, WishlistError } from "@wishlist-headless/sdk";
import type { AddDetails, Changes, ItemIds } from "./actions.ts";
import type { Cells } from "./cells.ts";
import { applyToPlaces, DEFAULT_LIST, idOf, isMeant, setFields } from "./changes.ts";
import type { Effect, PendingChange, Place, Unconfirmed } from "./changes.ts";
import { obtain } from "./obtain.ts";
import { attempt, type Requests } from "./requests.ts";

/** The changes of a client's shopper on their way to the service. */
export interface Queue extends Changes {
  /** Adds or removes an item; of the default list unless one is given. */
  save: (saved: boolean, item: ItemIds, listId?: string, details?: AddDetails) => Promise<boolean>;
  /** Saves to the default list, or removes from all lists. A second press brings back what the first one removes. */
  toggle: (productId: string, variantId?: string) => Promise<boolean>;
}

/**
 * @param cells returns what shows the changes
 * @param announce tells other tabs of a change that the service has made
 */
export function createQueue(
  requests: Requests,
  unconfirmed: Unconfirmed,
  cells: () => Cells,
  announce: (queue: string) => void,
): Queue {
  const { client } = requests;
  const { pending } = unconfirmed;
  const running = new Map<string, Promise<boolean>>();
  /** whether changes of several queues have been sent at the same time */
  let isParallel = false;

  /** Sends the changes of a queue one after another, so that the last one wins. @returns whether the service has made them */
  async function run(queue: string): Promise<boolean> {
    // A second press of the same moment replaces the first one.
    await Promise.resolve();
    const { confirm, emit, lists, reload } = cells();
    let failure: WishlistError | undefined;
    let made: object | undefined;
    for (const [key, change] of pending) {
      if (change.queue !== queue) continue;
      const { signal } = requests.owner;
      const isLast = () => pending.get(key) === change;
      made = await attempt(requests, change.send, (error) => {
        if (isLast()) unconfirmed.refused = { ...change, error: (failure = error) };
      });
      if (isLast()) {
        pending.delete(key);
        // A guest has logged in: the change is sent again, as the customer's.
        if (signal.aborted) pending.set(key, change);
      }
      if (made) {
        announce(queue);
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
      requests.onError?.(failure);
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
    if (unconfirmed.refused?.queue === queue) unconfirmed.refused = undefined;
    const sent = obtain(running, queue, () => run(queue));
    cells().emit();
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
    const product = cells().keep(productId);
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

  function save(saved: boolean, item: ItemIds, listId = DEFAULT_LIST, details?: AddDetails): Promise<boolean> {
    return changeItem("", listId, item, { saved }, async ({ productId, ...ids }, options) => {
      const { itemCount } = saved
        ? await client.lists.items.add({ ...details, ...ids, product_id: productId }, options)
        : await client.lists.items.remove({ productId, ...ids }, options);
      return { [listId]: { itemCount } };
    });
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

  return {
    save,

    toggle(productId, variantId) {
      const product = cells().productOf(productId);
      const find = (all: readonly Place[]) => all.filter((place) => isMeant({ variantId }, place));
      const saved = find(product.shown);
      const removed = find(product.known);
      const isSaved = saved.length > 0;
      const changed: Effect[] = isSaved ? saved : removed.length > 0 ? removed : [{ variantId }];
      // They are in one queue, and have the same result.
      return changed.reduce((_, one) => save(!isSaved, { ...one, productId }, one.listId), Promise.resolve(true));
    },

    itemChanges: (listId) => ({
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
    }),

    listChanges: {
      async create(name) {
        const created = await changeLists(name, {}, (options) => client.lists.create({ name }, options));
        if (created) {
          const { listId } = created;
          cells().confirm({ lists: (all) => [...all.filter((list) => list.listId !== listId), created] });
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
    },
  };
}
