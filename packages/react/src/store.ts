import type { Input, Output, StorefrontClient, WishlistError } from "@wishlist-headless/sdk";
import { createCells, type Cells } from "./cells.ts";
import type { Unconfirmed } from "./changes.ts";
import { createFollowing } from "./following.ts";
import { obtain } from "./obtain.ts";
import { createQueue } from "./queue.ts";
import { attempt, type Requests } from "./requests.ts";

const stores = new WeakMap<StorefrontClient, Store>();

/** Returns the store of a client, which all its providers share. */
export function storeOf(client: StorefrontClient): Store {
  return obtain(stores, client, () => createStore(client));
}

export type Store = ReturnType<typeof createStore>;

/** What became of a request for an alert. */
export interface AlertResult {
  /** undefined after a failure */
  state?: Output<"alerts.requests.create">["state"] | undefined;
  error?: WishlistError | undefined;
}

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

  async function ask(wanted: Input<"alerts.requests.create">): Promise<AlertResult> {
    const result: AlertResult = {};
    const data = await attempt(
      requests,
      (options) => client.alerts.requests.create(wanted, options),
      (error) => {
        result.error = error;
        requests.onError?.(error);
      },
    );
    // The item is in the customer's default list now.
    if (data?.state === "active") cells.reload(wanted.product_id);
    return { ...result, state: data?.state };
  }

  return { ask, client, lists, productOf, pageOf, reload, save, toggle, configure, start };
}
