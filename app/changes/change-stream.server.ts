import { cursorAfter, type Filter } from "./feed.server.ts";
import type { Change } from "./change-text.ts";

/** Bytes that may wait in a stream, beside what the socket has taken, before the client counts as too slow. */
const MAX_WAITING = 512 * 1024;
/** Bytes up to which a stream takes more from the database while it catches up. */
const HIGH_WATER = 32 * 1024;

/** Why a stream ended. */
export const END_REASONS = ["client", "token", "slow", "position", "shutdown", "error"] as const;
export type EndReason = (typeof END_REASONS)[number];

/** A stream of server-sent events to a client. */
export interface ChangeStream {
  readonly filter: Filter;
  readonly keyId: string;
  /** when the token expires, milliseconds since the epoch */
  readonly expiresAt: number;
  readonly body: ReadableStream<Uint8Array>;
  isOpen: boolean;
  /** monotonic milliseconds of the last event or comment */
  wroteAt: number;
  /** Writes bytes that may be shared with other streams. Ends the stream when too much waits. */
  write: (bytes: Uint8Array) => void;
  /** Writes a part of the past and resolves when the client has taken most of it, or the stream has ended. */
  writePast: (bytes: Uint8Array) => Promise<void>;
  /** Ends the stream, after what waits unless the client is too slow. */
  end: (reason: EndReason) => void;
}

/** Ends the connection without a complete response. The HTTP server treats this code as the end by one side, not as a failure. */
class SlowClientError extends Error {
  readonly code = "ERR_STREAM_PREMATURE_CLOSE";
}

/** Creates a stream. @param onEnd called once */
export function changeStream(
  of: Pick<ChangeStream, "filter" | "keyId" | "expiresAt">,
  onEnd: (stream: ChangeStream, reason: EndReason) => void,
): ChangeStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let onTaken: (() => void) | undefined;

  function ended(reason: EndReason): void {
    stream.isOpen = false;
    controller = undefined;
    onTaken?.();
    onEnd(stream, reason);
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        onTaken?.();
      },
      cancel() {
        if (stream.isOpen) ended("client");
      },
    },
    { highWaterMark: HIGH_WATER, size: (chunk) => chunk.byteLength },
  );

  function waiting(): number {
    return HIGH_WATER - (controller?.desiredSize ?? HIGH_WATER);
  }

  const stream: ChangeStream = {
    ...of,
    body,
    isOpen: true,
    wroteAt: performance.now(),
    write(bytes) {
      if (!stream.isOpen) return;
      controller?.enqueue(bytes);
      stream.wroteAt = performance.now();
      if (waiting() > MAX_WAITING) stream.end("slow");
    },
    async writePast(bytes) {
      if (!stream.isOpen) return;
      controller?.enqueue(bytes);
      stream.wroteAt = performance.now();
      if (waiting() < HIGH_WATER) return;
      await new Promise<void>((resolve) => {
        onTaken = resolve;
      });
      onTaken = undefined;
    },
    end(reason) {
      if (!stream.isOpen) return;
      if (reason === "slow" || waiting() > HIGH_WATER)
        controller?.error(new SlowClientError("the client reads too slowly"));
      else controller?.close();
      ended(reason);
    },
  };
  return stream;
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
