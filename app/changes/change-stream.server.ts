import { nowMs } from "../platform/clock.server.ts";
import { cursorAfter, type Filter } from "./feed.server.ts";
import type { Change } from "./change-text.ts";

/** Bytes that may wait in a stream, beside what the socket has taken, before the client counts as too slow. */
export const MAX_WAITING = 512 * 1024;
/** Bytes up to which a stream takes more from the database while it catches up. */
const HIGH_WATER = 32 * 1024;

/** Why a stream ended. */
export const END_REASONS = ["client", "token", "slow", "position", "shutdown", "error"] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Ends the connection without a complete response. The HTTP server treats this code as the end by one side, not as a failure. */
class SlowClientError extends Error {
  readonly code = "ERR_STREAM_PREMATURE_CLOSE";
}

const STRATEGY = new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER });

/**
 * A stream of server-sent events to a client. It is the source of its own body, without closures, because thousands of streams are open at a time.
 */
export class ChangeStream implements UnderlyingDefaultSource<Uint8Array> {
  readonly filter: Filter;
  readonly keyId: string;
  /** when the token expires, milliseconds since the epoch */
  readonly expiresAt: number;
  readonly body: ReadableStream<Uint8Array>;
  isOpen = true;
  /** time of the last event or comment, in milliseconds */
  wroteAt = nowMs();
  readonly #onEnd: (stream: ChangeStream, reason: EndReason) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #onTaken: (() => void) | undefined;

  /** @param onEnd called once */
  constructor(
    of: Pick<ChangeStream, "filter" | "keyId" | "expiresAt">,
    onEnd: (stream: ChangeStream, reason: EndReason) => void,
  ) {
    this.filter = of.filter;
    this.keyId = of.keyId;
    this.expiresAt = of.expiresAt;
    this.#onEnd = onEnd;
    this.body = new ReadableStream(this, STRATEGY);
  }

  /** Called by the body. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }

  /** Called by the body when the client has taken what waited. */
  pull(): void {
    this.#onTaken?.();
  }

  /** Called by the body when the client has left. */
  cancel(): void {
    if (this.isOpen) this.#ended("client");
  }

  /** Writes bytes that may be shared with other streams. Ends the stream when too much waits. */
  write(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    this.#enqueue(bytes);
    if (this.#waiting() > MAX_WAITING) this.end("slow");
  }

  /** Writes a part of the past and resolves when the client has taken most of it, or the stream has ended. */
  async writePast(bytes: Uint8Array): Promise<void> {
    if (!this.isOpen) return;
    this.#enqueue(bytes);
    if (this.#waiting() < HIGH_WATER) return;
    await new Promise<void>((resolve) => {
      this.#onTaken = resolve;
    });
    this.#onTaken = undefined;
  }

  /** Ends the stream, after what waits unless the client is too slow. */
  end(reason: EndReason): void {
    if (!this.isOpen) return;
    if (reason === "slow" || this.#waiting() > HIGH_WATER) {
      this.#controller?.error(new SlowClientError("the client reads too slowly"));
    } else {
      this.#controller?.close();
    }
    this.#ended(reason);
  }

  #enqueue(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
    this.wroteAt = nowMs();
  }

  /** Returns how many bytes wait beside what the socket has taken. */
  #waiting(): number {
    return HIGH_WATER - (this.#controller?.desiredSize ?? HIGH_WATER);
  }

  #ended(reason: EndReason): void {
    this.isOpen = false;
    this.#controller = undefined;
    this.#onTaken?.();
    this.#onEnd(this, reason);
  }
}

const encoder = new TextEncoder();

/** Returns changes as server-sent events. */
export function eventsOf(filter: Filter, changes: readonly Change[]): Uint8Array {
  let text = "";
  for (const { number, type, json } of changes) {
    text += `id: ${cursorAfter(filter, number)}\nevent: ${type}\ndata: ${json}\n\n`;
  }
  return encoder.encode(text);
}

/** Returns an event without data: it sets where the client resumes, and proxies see that the connection is in use. */
export function positionEvent(filter: Filter, number: number): Uint8Array {
  return encoder.encode(`: \nid: ${cursorAfter(filter, number)}\n\n`);
}

/** Returns an event that sets after how many milliseconds the client connects again. */
export function retryEvent(ms: number): Uint8Array {
  return encoder.encode(`retry: ${ms}\n\n`);
}

/** A comment, by which client and proxies see that the connection is in use. */
export const COMMENT = encoder.encode(":\n\n");
