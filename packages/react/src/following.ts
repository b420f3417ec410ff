import type { Change } from "@wishlist-headless/sdk";
import type { Cells } from "./cells.ts";
import { detailsOf, setFields, type Unconfirmed } from "./changes.ts";
import { attempt, type Requests } from "./requests.ts";

// React Native has neither.
const { document: page, BroadcastChannel: Channel }: Partial<typeof globalThis> = globalThis;

/** Follows the owner, other tabs and other devices. */
export function createFollowing(requests: Requests, unconfirmed: Unconfirmed, cells: Cells) {
  const { client } = requests;
  let former = client.owner;
  let providers = 0;
  let live = false;
  let channel: BroadcastChannel | undefined;
  let stream: AbortController | undefined;

  function receive({ type, listId, item, itemCount }: Change): void {
    // Only the lists tell the name and the order.
    cells.lists.due ||= !item;
    cells.confirm({
      listId,
      productId: item?.productId,
      variantId: item?.variantId,
      saved: /removed|deleted/.test(type) ? false : item && true,
      details: item && detailsOf(item),
      lists: setFields({ [listId]: { itemCount } }),
    });
  }

  async function follow(controller: AbortController): Promise<void> {
    // What has changed before. The stream begins first, so that no change falls between them.
    cells.reload();
    await attempt(
      requests,
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
        else requests.onError?.(error);
      },
      controller,
    );
  }

  /** Reads what is due while the page is visible, and opens the stream. Guests' changes are not in it. */
  function resume(): void {
    cells.schedule();
    if (live && client.owner === "customer" && !page?.hidden) {
      if (!stream) void follow((stream = new AbortController()));
    } else {
      stream?.abort();
      stream = undefined;
    }
  }

  // Nothing of the former customer stays, and no request of theirs is repeated with the next owner's token.
  client.onOwnerChange(() => {
    requests.owner.abort();
    stream?.abort();
    requests.owner = new AbortController();
    // A guest who logs in stays the same shopper, whose lists the service merges: their hearts stay until they are read again.
    if (former === "customer") {
      unconfirmed.pending.clear();
      cells.reset();
    }
    former = client.owner;
    unconfirmed.refused = stream = undefined;
    cells.reload();
    cells.emit();
    resume();
  });

  return {
    /** Tells other tabs of a change. @param queue the product that has changed, or "" for lists */
    announce: (queue: string): void => channel?.postMessage(queue),

    /** Sets what a provider asks for. */
    configure: (isLive: boolean, report: Requests["onError"]): void => {
      live = isLive;
      requests.onError = report;
      resume();
    },

    /** Follows other tabs, and the change feed if the provider asks for it. @returns a function that ends it */
    start: (): (() => void) => {
      if (providers++ === 0 && Channel) {
        // Another tab may have changed something while no component was shown.
        cells.reload();
        channel = new Channel("wishlist");
        // A message has no state, because the other tab may have another owner: each reads its own.
        channel.onmessage = ({ data }: MessageEvent<string>) => {
          if (!stream) cells.reload(data);
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
