import { grantsScope } from "../access/index.server.ts";
import { onChangeNumbers } from "../activity/index.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { coalesced } from "../platform/coalesce.server.ts";
import { run, statement } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { isStopping, onStopping } from "../platform/lifecycle.server.ts";
import { log } from "../platform/log.server.ts";
import { counter, gauge } from "../platform/metrics.server.ts";
import { shopGate } from "../platform/shop-gate.server.ts";
import { outsideSpans } from "../platform/trace-context.server.ts";
import { changesOf } from "./change-text.ts";
import {
  changeStream,
  COMMENT,
  END_REASONS,
  eventsOf,
  positionEvent,
  retryEvent,
  type ChangeStream,
} from "./change-stream.server.ts";
import { cursorExpired, isExpired, parseCursor, readNumbered, type FeedPage, type Filter } from "./feed.server.ts";
import { ShopFeed } from "./shop-feed.server.ts";

// The streams of a process. One reader per shop reads new changes once and gives them to all streams of the shop.

/** Open streams of a process, of one shop, and of one key or customer. */
const LIMITS = { process: 12_000, shop: 10_000, caller: 20 } as const;
/** Seconds after which a caller may retry above a limit. */
const RETRY_AFTER = 10;
/** Changes in a page that is read for live streams, and for one that catches up. */
const PAGE = 250;
/** Milliseconds between two rounds: expired tokens, revoked keys, comments, and a look for changes that no process announced. */
const ROUND_MS = 1_000;
/** Milliseconds without an event after which a stream gets a comment. */
const COMMENT_MS = 15_000;
/** Milliseconds after which clients connect again. After a shutdown they are spread. */
const RETRY_MS = 2_000;
const SHUTDOWN_RETRY_MS = { min: 200, max: 3_000 } as const;

/** Streams that read from the database at a time. */
const catchUpGate = shopGate({ total: 4, perShop: 2, queue: Infinity, wait: 60_000 });

const headsStatement = statement<{ shop_id: number; last_number: number }>(
  "changes_heads",
  "SELECT shop_id, last_number FROM shop_change WHERE shop_id = ANY ($1::bigint[])",
);

const feeds = new Map<number, { feed: ShopFeed; opened: Promise<void> }>();
/** By key or customer. */
const streamsByCaller = new Map<string, number>();
const streams = new Set<ChangeStream>();
let reserved = 0;
let rounds: NodeJS.Timeout | undefined;

gauge("change_streams", "Open streams of the change feed", undefined, () => [{ labels: {}, value: streams.size }]);
const closed = counter(
  "change_streams_closed_total",
  "Streams of the change feed that have ended: by the client, with their token, because the client read too slowly, because their position is not kept, by the shutdown, or by an error",
  { reason: END_REASONS },
);

/** Starts to receive which shops have new changes. To be called before `startListening`. */
export function startChangeStreams(): void {
  onChangeNumbers((shopId, lastNumber) => {
    const feed = feeds.get(shopId)?.feed;
    if (!feed) return;
    feed.heard = Math.max(feed.heard, lastNumber);
    if (feed.heard > feed.position) outsideSpans(() => void readSafely(shopId));
  });
  onStopping(() => {
    const { min, max } = SHUTDOWN_RETRY_MS;
    const step = (max - min) / Math.max(streams.size, 1);
    for (const [place, stream] of [...streams].entries()) {
      stream.write(retryEvent(Math.round(min + place * step)));
      stream.end("shutdown");
    }
  });
}

/** Reads a shop's new changes and gives them to its live streams. */
const readNew = coalesced(async (shopId: number): Promise<void> => {
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

/** Returns the feed of a shop, which begins at its last change when it has no stream yet. */
async function openFeed(shopId: number): Promise<ShopFeed> {
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

function closeFeed(feed: ShopFeed): void {
  feed.streams--;
  if (feed.streams === 0 && feeds.get(feed.shopId)?.feed === feed) feeds.delete(feed.shopId);
}

/** A request for a stream. */
export interface StreamRequest {
  filter: Filter;
  keyId: string;
  /** when the token expires, milliseconds since the epoch */
  expiresAt: number;
  since: string | undefined;
  lastEventId: string | undefined;
}

function callerOf({ filter, keyId }: Pick<StreamRequest, "filter" | "keyId">): string {
  return filter.customerId === undefined ? keyId : `${filter.shopId} ${filter.customerId}`;
}

/** Returns the failure when a limit is reached. */
function refusal(request: StreamRequest): Failure | undefined {
  const retry = { retryAfter: RETRY_AFTER };
  if (isStopping() || reserved >= LIMITS.process) {
    return new Failure(
      "service_unavailable",
      "This process serves no more streams at the moment. Try again shortly.",
      retry,
    );
  }
  if ((feeds.get(request.filter.shopId)?.feed.streams ?? 0) >= LIMITS.shop) {
    return new Failure(
      "rate_limited",
      `The shop has ${LIMITS.shop} open streams. Close one before opening another.`,
      retry,
    );
  }
  if ((streamsByCaller.get(callerOf(request)) ?? 0) < LIMITS.caller) return undefined;
  const whose = request.filter.customerId === undefined ? "API key" : "customer";
  return new Failure(
    "rate_limited",
    `The ${whose} has ${LIMITS.caller} open streams. Close one before opening another.`,
    retry,
  );
}

function reserve(caller: string, by: 1 | -1): void {
  reserved += by;
  const count = (streamsByCaller.get(caller) ?? 0) + by;
  if (count === 0) streamsByCaller.delete(caller);
  else streamsByCaller.set(caller, count);
}

/** Parses where a stream begins. @returns undefined for the end of the feed */
function beginningOf({ filter, since, lastEventId }: StreamRequest): number | undefined | Failure {
  const from =
    lastEventId === undefined
      ? parseCursor(filter, since ?? "now", "query.since")
      : parseCursor(filter, lastEventId, "header.Last-Event-ID");
  return from === "now" ? undefined : from;
}

/**
 * Opens a stream.
 * @returns `cursor_expired`, `invalid_request` for a cursor of another shop or filter, `rate_limited` or `service_unavailable` above a limit
 */
export async function openStream(request: StreamRequest): Promise<ReadableStream<Uint8Array> | Failure> {
  const from = beginningOf(request);
  if (from instanceof Failure) return from;
  const refused = refusal(request);
  if (refused) return refused;
  const caller = callerOf(request);
  reserve(caller, 1);
  let feed: ShopFeed | undefined;
  try {
    feed = await openFeed(request.filter.shopId);
    const past = from === undefined ? undefined : await firstPage(feed, request.filter, from);
    if (past instanceof Failure) {
      release(feed, caller);
      return past;
    }
    return begin(feed, request, from ?? feed.position, past);
  } catch (error) {
    release(feed, caller);
    throw error;
  }
}

function release(feed: ShopFeed | undefined, caller: string): void {
  reserve(caller, -1);
  if (feed) closeFeed(feed);
}

/** Reads the first page of the past, unless the stream can join at once, so that an expired cursor gets its failure as the response. */
async function firstPage(feed: ShopFeed, filter: Filter, from: number): Promise<FeedPage | undefined | Failure> {
  // Another process can be ahead.
  if (from > feed.position) await readNew(feed.shopId);
  if (feed.canJoin(from)) return undefined;
  const page = await readPast(filter, from);
  return isExpired(from, page) ? cursorExpired() : page;
}

function readPast(filter: Filter, after: number): Promise<FeedPage> {
  return catchUpGate(filter.shopId, () => readNumbered(filter, after, PAGE));
}

function begin(
  feed: ShopFeed,
  request: StreamRequest,
  from: number,
  past: FeedPage | undefined,
): ReadableStream<Uint8Array> {
  const caller = callerOf(request);
  const { filter, keyId, expiresAt } = request;
  const stream = changeStream({ filter, keyId, expiresAt }, (ended, reason) => {
    streams.delete(ended);
    feed.leave(ended);
    release(feed, caller);
    closed.inc({ reason });
    if (streams.size === 0) stopRounds();
  });
  streams.add(stream);
  outsideSpans(startRounds);
  stream.write(retryEvent(RETRY_MS));
  stream.write(positionEvent(filter, from));
  if (past === undefined && feed.canJoin(from)) feed.join(stream, from);
  else outsideSpans(() => void catchUp(feed, stream, from, past));
  return stream.body;
}

/** Sends a stream the past, then makes it live without a gap or a duplicate. */
async function catchUp(feed: ShopFeed, stream: ChangeStream, from: number, first?: FeedPage): Promise<void> {
  let position = from;
  let next = first;
  try {
    while (stream.isOpen) {
      if (position > feed.position) await readNew(feed.shopId);
      if (!next && feed.canJoin(position)) {
        feed.join(stream, position);
        return;
      }
      const page = next ?? (await readPast(stream.filter, position));
      next = undefined;
      if (isExpired(position, page)) {
        stream.end("position");
        return;
      }
      position = page.position;
      const changes = changesOf(page.text);
      if (changes.length > 0) await stream.writePast(eventsOf(stream.filter, changes));
    }
  } catch (error) {
    log.warn({ err: error }, "a stream of changes could not catch up; its client resumes");
    stream.end("error");
  }
}

function startRounds(): void {
  let running = false;
  rounds ??= setInterval(() => {
    if (running) return;
    running = true;
    void round()
      .catch((error: unknown) => {
        log.warn({ err: error }, "the streams of changes could not be checked; it is tried again");
      })
      .finally(() => {
        running = false;
      });
  }, ROUND_MS).unref();
}

function stopRounds(): void {
  clearInterval(rounds);
  rounds = undefined;
}

async function round(): Promise<void> {
  endExpired();
  writeComments();
  await endRevoked();
  const heads = await run(headsStatement, [[...feeds.keys()]]);
  for (const { shop_id, last_number } of heads) {
    const feed = feeds.get(shop_id)?.feed;
    feed?.discardOld();
    if (feed && last_number !== feed.position) void readSafely(shop_id);
  }
}

function endExpired(): void {
  const now = nowMs();
  for (const stream of streams) if (now >= stream.expiresAt) stream.end("token");
}

async function endRevoked(): Promise<void> {
  const valid = new Map<string, boolean>();
  for (const { keyId } of streams) {
    if (!valid.has(keyId)) valid.set(keyId, await grantsScope(keyId, "read_wishlists"));
  }
  for (const stream of streams) if (valid.get(stream.keyId) === false) stream.end("token");
}

/** Writes to quiet streams: where they are, if the feed has gone on since they were told, or an empty comment. */
function writeComments(): void {
  const before = performance.now() - COMMENT_MS;
  for (const { feed } of feeds.values()) {
    for (const group of feed.groups()) {
      let bytes: Uint8Array | undefined;
      for (const stream of group.streams) {
        if (stream.wroteAt > before) continue;
        bytes ??= group.announced < feed.position ? positionEvent(group.filter, feed.position) : COMMENT;
        stream.write(bytes);
      }
      if (bytes && bytes !== COMMENT) group.announced = feed.position;
    }
  }
  // Streams that still catch up.
  for (const stream of streams) if (stream.wroteAt <= before) stream.write(COMMENT);
}
