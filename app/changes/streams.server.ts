import { grantsScope } from "../access/index.server.ts";
import { onChangeNumbers } from "../activity/index.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { isStopping, onStopping } from "../platform/process/lifecycle.server.ts";
import { log } from "../platform/log/log.server.ts";
import { counter, gauge } from "../platform/metrics/metrics.server.ts";
import { shopGate } from "../platform/database/shop-gate.server.ts";
import { outsideSpans } from "../platform/tracing/context.server.ts";
import { changesOf } from "./change-text.ts";
import {
  ChangeStream,
  COMMENT,
  END_REASONS,
  eventsOf,
  positionEvent,
  retryEvent,
  type EndReason,
} from "./change-stream.server.ts";
import { cursorExpired, isExpired, parseCursor, readNumbered, type FeedPage, type Filter } from "./feed.server.ts";
import { changesSent } from "./metrics.server.ts";
import { closeFeed, hearOf, lookForChanges, openFeed, openFeeds, PAGE, readNew } from "./open-feeds.server.ts";
import type { ShopFeed } from "./shop-feed.server.ts";
import { noMoreStreams, StreamLimits, type StreamCaller } from "./stream-limits.server.ts";

/** Milliseconds between two rounds: expired tokens, revoked keys, comments, and a look for changes that no process announced. */
const ROUND_MS = 1_000;
/** Milliseconds without an event after which a stream gets a comment. */
const COMMENT_MS = 15_000;
/** Milliseconds after which clients connect again. After a shutdown they are spread. */
const RETRY_MS = 2_000;
const SHUTDOWN_RETRY_MS = { min: 200, max: 3_000 } as const;

/** Streams that read from the database at a time. */
const catchUpGate = shopGate({ total: 4, perShop: 2, queue: Infinity, wait: 60_000 });

const limits = new StreamLimits();
const streams = new Set<ChangeStream>();
let rounds: NodeJS.Timeout | undefined;

gauge("change_streams", "Open streams of the change feed", undefined, () => [{ labels: {}, value: streams.size }]);
const closed = counter(
  "change_streams_closed_total",
  "Streams of the change feed that have ended: by the client, with their token, because the client read too slowly, because their position is not kept, by the shutdown, or by an error",
  { reason: END_REASONS },
);

/** Starts to receive which shops have new changes. To be called before `startListening`. */
export function startChangeStreams(): void {
  onChangeNumbers(hearOf);
  onStopping(() => {
    const { min, max } = SHUTDOWN_RETRY_MS;
    const step = (max - min) / Math.max(streams.size, 1);
    for (const [index, stream] of [...streams].entries()) {
      stream.write(retryEvent(Math.round(min + index * step)));
      stream.end("shutdown");
    }
  });
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
  const refused = isStopping() ? noMoreStreams() : limits.reserve(request);
  if (refused) return refused;
  let feed: ShopFeed | undefined;
  try {
    feed = await openFeed(request.filter.shopId);
    const past = from === undefined ? undefined : await firstPage(feed, request.filter, from);
    if (past instanceof Failure) {
      release(feed, request);
      return past;
    }
    return begin(feed, request, from ?? feed.position, past);
  } catch (error) {
    release(feed, request);
    throw error;
  }
}

function release(feed: ShopFeed | undefined, caller: StreamCaller): void {
  limits.release(caller);
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

/** Returns what ends a stream of a feed. Not within `begin`, where the function would keep the page of the past in memory. */
function leaving(feed: ShopFeed): (ended: ChangeStream, reason: EndReason) => void {
  return (ended, reason) => {
    streams.delete(ended);
    feed.leave(ended);
    release(feed, ended);
    closed.inc({ reason });
    if (streams.size === 0) stopRounds();
  };
}

function begin(
  feed: ShopFeed,
  request: StreamRequest,
  from: number,
  past: FeedPage | undefined,
): ReadableStream<Uint8Array> {
  const { filter } = request;
  const stream = new ChangeStream(request, leaving(feed));
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
      if (changes.length === 0) continue;
      changesSent.inc({ to: "stream" }, changes.length);
      await stream.writePast(eventsOf(stream.filter, changes));
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
  await lookForChanges();
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
  const before = nowMs() - COMMENT_MS;
  for (const feed of openFeeds()) {
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
