import type { StorefrontClient } from "@wishlist-headless/sdk";
import { createCells, type Cells } from "./cells.ts";
import type { Unconfirmed } from "./changes.ts";
import { createFollowing } from "./following.ts";
import { obtain } from "./obtain.ts";
import { createQueue } from "./queue.ts";
import type { Requests } from "./requests.ts";

const stores = new WeakMap<StorefrontClient, Store>();

/** Returns the store of a client, which all its providers share. */
export function storeOf(client: StorefrontClient): Store {
  return obtain(stores, client, () => createStore(client));
}

export type Store = ReturnType<typeof createStore>;

/** Creates what the components of a client share: what they show, the changes on their way, and what follows other tabs and devices. */
function createStore(client: StorefrontClient) {
  const requests: Requests = { client, owner: new AbortController(), isFailing: false, onError: undefined };
  const unconfirmed: Unconfirmed = { pending: new Map(), refused: undefined };
  const { save, toggle, ...changes } = createQueue(
    requests,
    unconfirmed,
    () => cells,
    (queue) => announce(queue),
  );
  const cells: Cells = createCells(requests, unconfirmed, changes);
  const { announce, configure, start } = createFollowing(requests, unconfirmed, cells);
  const { lists, productOf, pageOf, reload } = cells;
  return { client, lists, productOf, pageOf, reload, save, toggle, configure, start };
}
