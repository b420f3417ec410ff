import { nowMs } from "../platform/clock.server.ts";
import { coalesced } from "../platform/coalesce.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { log } from "../platform/log/log.server.ts";
import { gauge } from "../platform/metrics/metrics.server.ts";
import { outsideSpans } from "../platform/tracing/context.server.ts";
import { changesOf } from "./change-text.ts";
import { MAX_WAITING } from "./change-stream.server.ts";
import { isExpired, readNumbered, type FeedPage, type Filter, type PageSize } from "./feed.server.ts";
import { ShopFeed } from "./shop-feed.server.ts";

// The feeds of the shops that have streams in this process. One reader per shop reads new changes once and gives them to all streams of the shop.

/** A page that is read for streams. Half of what may wait in one. */
export const PAGE: PageSize = { limit: 250, bytes: MAX_WAITING / 2 };

const headsStatement = statement<{ shop_id: number; last_number: number }>(
  "changes_heads",
  "SELECT shop_id, last_number FROM shop_change WHERE shop_id = ANY ($1::bigint[])",
);

const feeds = new Map<number, { feed: ShopFeed; opened: Promise<void> }>();

gauge(
  "change_streams_behind_seconds",
  "Longest time for which streams of a shop have lacked a change that this process knows of; 0 without any",
  undefined,
  () => [{ labels: {}, value: Math.max(0, ...[...openFeeds()].map((feed) => feed.behindMs(nowMs()))) / 1_000 }],
);

/** Returns the feeds of the shops with streams. */
export function* openFeeds(): Generator<ShopFeed> {
  for (const { feed } of feeds.values()) yield feed;
}

/** Reads a shop's new changes and gives them to its live streams. */
export const readNew = coalesced(async (shopId: number): Promise<void> => {
  const opening = feeds.get(shopId);
  if (!opening) return;
  const { feed, opened } = opening;
  await opened;
  const everything: Filter = { shopId, types: undefined, customerId: undefined };
  let page: FeedPage;
  do {
    page = await readNumbered(everything, feed.position, PAGE);
    if (isExpired(feed.position, page)) {
      // A backup was restored. The clients learn it from the response to their next request.
      for (const group of feed.groups()) for (const stream of group.streams) stream.end("position");
      return;
    }
    feed.deliver(changesOf(page.text), page.position);
  } while (page.position < page.head);
});

async function readSafely(shopId: number): Promise<void> {
  try {
    await readNew(shopId);
  } catch (error) {
    log.warn({ err: error }, "the changes of a shop could not be read for its streams; it is tried again");
  }
}

/** Reads a shop's new changes if it has streams. @param lastNumber of the shop's last change */
export function hearOf(shopId: number, lastNumber: number): void {
  const feed = feeds.get(shopId)?.feed;
  if (!feed) return;
  feed.hear(lastNumber, nowMs());
  if (lastNumber > feed.position) outsideSpans(() => void readSafely(shopId));
}

/** Reads the new changes of all shops with streams: notifications can be lost. */
export async function lookForChanges(): Promise<void> {
  const heads = await run(headsStatement, [[...feeds.keys()]]);
  for (const { shop_id, last_number } of heads) {
    const feed = feeds.get(shop_id)?.feed;
    feed?.discardOld();
    feed?.hear(last_number, nowMs());
    if (feed && last_number !== feed.position) void readSafely(shop_id);
  }
}

/** Returns the feed of a shop, which begins at its last change when it has no stream yet. To be closed with `closeFeed`. */
export async function openFeed(shopId: number): Promise<ShopFeed> {
  let opening = feeds.get(shopId);
  if (!opening) {
    const feed = new ShopFeed(shopId);
    opening = {
      feed,
      opened: run(headsStatement, [[shopId]]).then(([row]) => {
        feed.begin(row?.last_number ?? 0);
      }),
    };
    feeds.set(shopId, opening);
  }
  const { feed, opened } = opening;
  feed.streams++;
  try {
    await opened;
  } catch (error) {
    closeFeed(feed);
    throw error;
  }
  return feed;
}

export function closeFeed(feed: ShopFeed): void {
  feed.streams--;
  if (feed.streams === 0 && feeds.get(feed.shopId)?.feed === feed) feeds.delete(feed.shopId);
}
