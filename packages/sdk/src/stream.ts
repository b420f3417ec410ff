import { WishlistError } from "./errors.ts";
import { invalidResponse, sleep, throwIfAborted, type ReceivedResponse, type RequestOptions } from "./request.ts";
import type { Change } from "./types.ts";

/** Milliseconds without a byte after which the connection is dead: the service sends a comment every 15 seconds. */
const SILENCE = 45_000;
const RETRY = 2_000;
const MAX_RETRY = 30_000;

/** A change with the cursor that continues after it. */
export interface StreamedChange {
  cursor: string;
  change: Change;
}

interface Position {
  cursor: string | undefined;
  /** milliseconds before the next connection */
  retry: number;
}

/**
 * Follows changes, and connects again whenever the stream ends, without losing or repeating one.
 * @throws WishlistError that another connection would get as well, such as `cursor_expired`; the reason of the caller's signal
 */
export async function* followChanges(
  connect: (lastEventId: string | undefined, options: RequestOptions) => Promise<ReceivedResponse>,
  options: RequestOptions,
): AsyncGenerator<StreamedChange, void, undefined> {
  const position: Position = { cursor: undefined, retry: RETRY };
  const { signal } = options;
  let connection = new AbortController();
  const end = () => connection.abort();
  signal?.addEventListener("abort", end);
  let failures = 0;
  try {
    for (;;) {
      throwIfAborted(signal);
      connection = new AbortController();
      let retryAfter = 0;
      try {
        const received = await connect(position.cursor, { ...options, signal: connection.signal, retries: 0 });
        if (!received.stream) throw invalidResponse(received);
        failures = 0;
        yield* readEvents(received.stream, position);
      } catch (error) {
        throwIfAborted(signal);
        if (!(error instanceof WishlistError) || !isPassing(error)) throw error;
        position.retry = Math.min(MAX_RETRY, RETRY * 2 ** failures++);
        retryAfter = (error.retryAfter ?? 0) * 1000;
      }
      await sleep(Math.max(retryAfter, position.retry * (0.75 + Math.random() / 2)), signal);
    }
  } finally {
    signal?.removeEventListener("abort", end);
    connection.abort();
  }
}

function isPassing({ status }: WishlistError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** Reads the events of one connection (HTML standard, server-sent events) to its end. Keeps the position of each, also of those without data. */
async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  position: Position,
): AsyncGenerator<StreamedChange, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const chunk = await readOrGiveUp(reader);
      if (chunk === undefined) return;
      const events = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        // Not `^` and `$`: for them, U+2028 in a shopper's text would end the line as well.
        const field = (name: string) => new RegExp(`(?:^|\\n)${name}: ?([^\\n]*)`).exec(event)?.[1];
        const [id, retry, data] = [field("id"), field("retry"), field("data")];
        if (retry !== undefined) position.retry = Number(retry);
        if (id !== undefined) position.cursor = id;
        if (data === undefined || id === undefined) continue;
        yield { cursor: id, change: JSON.parse(data) as Change };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns the next bytes, or undefined when the connection has ended, was reset or is silent. */
async function readOrGiveUp(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SILENCE);
  });
  try {
    return await Promise.race([
      silence,
      reader.read().then(
        ({ value }) => value,
        () => undefined,
      ),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
