import { WishlistError } from "./errors.ts";
import { fieldsOf } from "./fields.ts";
import type { ApiErrorCode, ErrorDetails } from "./types.ts";

/** Milliseconds before the first repetition; each further one waits up to twice as long, at most MAX_DELAY. */
const FIRST_DELAY = 300;
const MAX_DELAY = 5_000;

export interface RequestOptions {
  /** aborts the call, its repetitions and its delays; the call then throws the signal's reason */
  signal?: AbortSignal | undefined;
  /** milliseconds for one attempt, including its body; 10,000 by default, `Infinity` for any time */
  timeout?: number | undefined;
  /** repetitions after the first attempt; 3 by default */
  retries?: number | undefined;
  /** milliseconds of the longest `Retry-After` that the call waits for; 30,000 by default. A longer one fails the call at once */
  maxDelay?: number | undefined;
  /** for operations that accept one; a random key by default */
  idempotencyKey?: string | undefined;
}

export interface Transport {
  fetch: typeof fetch;
  timeout: number;
  retries: number;
  maxDelay: number;
}

export interface Call {
  method: string;
  url: string;
  /** the headers of an attempt with a token */
  headers: (token: string | undefined) => Record<string, string>;
  body: string | undefined;
  /** whether the request may have arrived and be sent again */
  repeatable: boolean;
  /** whether the response is a stream, which is not read to its end */
  streams?: boolean;
  /** returns the token of an attempt; once, it gets the token that the service has refused */
  token: ((refusal: Refusal | undefined) => Promise<string>) | undefined;
  options: RequestOptions;
}

/** A token that the service has refused, and its error. */
export interface Refusal {
  token: string;
  error: WishlistError;
}

/** What came with the data of a successful call. */
export interface ResponseDetails {
  /** 304 for a page that has not changed */
  status: number;
  /** such as `RateLimit`, and `X-Request-Id`, which identifies the request in the service's log */
  headers: Headers;
}

/** The promise of a call's data. */
export interface Responding<Data> extends Promise<Data> {
  /** Returns the data together with the status and headers of its response. */
  withResponse(): Promise<{ data: Data; response: ResponseDetails }>;
}

export interface ReceivedResponse extends ResponseDetails {
  /** empty for a stream */
  text: string;
  stream?: ReadableStream<Uint8Array>;
}

/**
 * Sends a request and repeats it after a failure that may pass: a rate limit; for repeatable requests also 502, 503, 504, no response, a truncated
 * body, and an earlier attempt with the same `Idempotency-Key` that is still in progress.
 * @throws WishlistError, or the reason of the caller's signal
 */
export async function send(transport: Transport, call: Call): Promise<ReceivedResponse> {
  const { token } = call;
  const { signal, retries = transport.retries, maxDelay = transport.maxDelay } = call.options;
  let refusal: Refusal | undefined;
  for (let attempt = 0; ; attempt++) {
    throwIfAborted(signal);
    const used = token && (await unlessAborted(token(refusal), signal));
    // The caller may have aborted while the token came.
    throwIfAborted(signal);
    try {
      return await once(transport, call, used);
    } catch (error) {
      if (!(error instanceof WishlistError)) throw error;
      if (used !== undefined && !refusal && isRenewable(error)) {
        refusal = { token: used, error };
        attempt--;
        continue;
      }
      const delay = attempt < retries ? delayBefore(error, attempt, call.repeatable) : undefined;
      if (delay === undefined || (error.retryAfter ?? 0) * 1000 > maxDelay) throw error;
      await sleep(delay, signal);
    }
  }
}

/** Tells whether another token may be accepted: this one has expired or was revoked, or its guest has become a customer in another tab. */
function isRenewable({ code }: WishlistError): boolean {
  return code === "token_expired" || code === "invalid_token" || code === "guest_merged";
}

/** Returns the milliseconds before the next attempt, or undefined when there shall be none. */
function delayBefore(
  { code, status, retryAfter }: WishlistError,
  attempt: number,
  repeatable: boolean,
): number | undefined {
  const isTruncated = code === "invalid_response" && status < 300;
  const passes =
    status === 429 ||
    (repeatable && ([0, 502, 503, 504].includes(status) || code === "request_in_progress" || isTruncated));
  if (!passes) return undefined;
  const backOff = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** attempt) * (0.5 + Math.random() / 2);
  return Math.max(backOff, (retryAfter ?? 0) * 1000);
}

async function once(
  { fetch, timeout }: Transport,
  { method, url, headers, body, streams, options }: Call,
  token: string | undefined,
): Promise<ReceivedResponse> {
  const attempt = new AbortController();
  const { signal } = options;
  const abort = () => attempt.abort();
  signal?.addEventListener("abort", abort);
  const milliseconds = options.timeout ?? timeout;
  const outcome = { timedOut: false, streaming: false };
  const expire = () => {
    outcome.timedOut = true;
    attempt.abort();
  };
  // A timer with more milliseconds would end at once.
  const timer = setTimeout(expire, Math.min(milliseconds, 2 ** 31 - 1));
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers(token),
        ...(body && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      signal: attempt.signal,
      body: body ?? null,
      // A shopper's change must arrive when the page is left at once. Browsers refuse more than 64 KiB of such bodies at the same time.
      keepalive: method !== "GET" && (body ?? "").length < 1_000,
    });
    const received: ReceivedResponse = { status: response.status, headers: response.headers, text: "" };
    if (streams && response.ok && response.body) {
      outcome.streaming = true;
      return { ...received, stream: response.body };
    }
    received.text = await response.text();
    if (response.ok || response.status === 304) return checked(received);
    throw failure(received);
  } catch (error) {
    if (error instanceof WishlistError) throw error;
    throwIfAborted(signal);
    throw outcome.timedOut
      ? new WishlistError({
          code: "timed_out",
          message: `No response within ${milliseconds} ms.`,
          cause: error,
        })
      : new WishlistError({ code: "network_error", message: "The service can't be reached.", cause: error });
  } finally {
    clearTimeout(timer);
    if (!outcome.streaming) signal?.removeEventListener("abort", abort);
  }
}

/** Returns the response if its JSON is complete. Proxies cut bodies off without an error. */
function checked(received: ReceivedResponse): ReceivedResponse {
  if (received.headers.get("content-type")?.startsWith("application/json") && parse(received.text) === undefined) {
    throw invalidResponse(received);
  }
  return received;
}

/** Parses JSON. @returns undefined for another text */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ErrorBody {
  ok: false;
  error: { code: ApiErrorCode; message: string; requestId: string; details?: ErrorDetails };
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { ok, error } = fieldsOf(body);
  return ok === false && "code" in fieldsOf(error);
}

function failure(received: ReceivedResponse): WishlistError {
  const body = parse(received.text);
  if (!isErrorBody(body)) return invalidResponse(received);
  return new WishlistError({ ...body.error, status: received.status, retryAfter: retryAfterOf(received.headers) });
}

export function invalidResponse({ status, headers }: ReceivedResponse): WishlistError {
  return new WishlistError({
    code: "invalid_response",
    message: `A response of status ${status} is not the service's. Check its \`url\`.`,
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterOf(headers),
  });
}

/** Returns `Retry-After` in seconds, which is a number or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  // "0" is a date as well: one that has passed.
  const seconds = Number(value) || (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Waits for a promise that other callers share, and throws the signal's reason as soon as it is aborted. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  throwIfAborted(signal);
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(reasonOf(signal)), { signal: settled.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    settled.abort();
  }
}

/** Waits. Throws the signal's reason as soon as it is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return unlessAborted(slept, signal).finally(() => clearTimeout(timer));
}

/** Does what `signal.throwIfAborted()` does, which React Native does not have, nor DOMException. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

function reasonOf({ reason }: { reason: unknown }): Error {
  return reason instanceof Error ? reason : Object.assign(new Error("The call was aborted."), { name: "AbortError" });
}
