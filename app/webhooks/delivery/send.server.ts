import { Agent, type buildConnector, type Dispatcher } from "undici";
import { nowMs } from "../../platform/clock.server.ts";
import type { DeliveryResult, WebhookRequest } from "./channel.ts";
import { ConnectionRefused, safeConnector } from "./connect.server.ts";
import { FIXED_HEADERS } from "./request.ts";

const TIMEOUT = 15_000;
/** Bytes of a response's body that are read and recorded. */
const BODY_LIMIT = 2_048;
const HEADERS_LIMIT = 16 * 1024;
/** Milliseconds for which an idle connection is kept: short, because receivers close theirs without notice. */
const KEEP_ALIVE = 4_000;
/** Open connections, over all endpoints, above which every connection is closed after its request. */
const MAX_OPEN = 1_024;
const LONGEST_RETRY_AFTER = 12 * 60 * 60_000;
/** Characters that are recorded of a text which the receiver controls: a header, a name in its certificate. */
const TEXT_LIMIT = 300;

/** The connections to the receiver of a webhook. */
export interface WebhookChannel {
  send: (request: WebhookRequest) => Promise<DeliveryResult>;
  close: () => Promise<void>;
}

export interface Sender {
  /** Opens a separate channel for an endpoint, so that receivers that hang hold no connection that another endpoint could need. */
  open: () => WebhookChannel;
  /** Closes all channels, including channels that are opened later. */
  close: () => Promise<void>;
}

export interface SenderOptions {
  allowLoopback: boolean;
  /** for tests */
  timeoutMs?: number;
  /** for tests */
  dnsServers?: readonly string[];
  /** for tests */
  maxOpen?: number;
}

/** The part of a response that has arrived. */
interface Received {
  status: number | null;
  headers: Record<string, string | string[] | undefined>;
  pieces: Uint8Array[];
}

class TimedOut extends Error {}

/** Sends webhooks over HTTP to untrusted receivers: they may be slow, broken or hostile. */
export function createSender({
  allowLoopback,
  timeoutMs = TIMEOUT,
  dnsServers,
  maxOpen = MAX_OPEN,
}: SenderOptions): Sender {
  const connect = counted(safeConnector({ allowLoopback, timeoutMs, dnsServers }));
  const channels = new Set<WebhookChannel>();
  let closed = false;

  function open(): WebhookChannel {
    const agent = new Agent({
      connect: connect.connector,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      maxHeaderSize: HEADERS_LIMIT,
      // `exchange` limits the whole exchange; undici's time limits start anew with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const channel: WebhookChannel = {
      send: (request) => exchange(request, { agent, timeoutMs, reset: connect.open() >= maxOpen }),
      async close() {
        channels.delete(channel);
        await agent.destroy();
      },
    };
    channels.add(channel);
    if (closed) void channel.close();
    return channel;
  }

  return {
    open,
    async close() {
      closed = true;
      await Promise.all([...channels].map((channel) => channel.close()));
    },
  };
}

/** Wraps a connector so that its open connections are counted. */
function counted(connector: buildConnector.connector): { connector: buildConnector.connector; open: () => number } {
  let open = 0;
  return {
    connector: (options, callback) =>
      connector(options, (...result) => {
        const [, socket] = result;
        if (socket) {
          open++;
          socket.once("close", () => open--);
        }
        callback(...result);
      }),
    open: () => open,
  };
}

interface Exchange {
  agent: Agent;
  timeoutMs: number;
  /** whether the connection is closed afterwards */
  reset: boolean;
}

/** Sends a request and receives the response. It uses undici's events, because a stream and an abort signal per request cost as much as the rest. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly received: Received = { status: null, headers: {}, pieces: [] };
  readonly #onEnd: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #bytes = 0;
  #done = false;

  /** @param onEnd called once, with the error if no complete response arrives */
  constructor(onEnd: (error: unknown) => void) {
    this.#onEnd = onEnd;
  }

  /** Ends the exchange, and closes the connection if something may still arrive. */
  end(error: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#controller?.abort(new Error("the exchange has ended"));
    this.#onEnd(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // undici can't abort a request while it connects.
    if (this.#done) controller.abort(new Error("the exchange has ended"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.received.status = status;
    this.received.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.received.pieces.push(piece);
    this.#bytes += piece.length;
    // The rest is not read.
    if (this.#bytes > BODY_LIMIT) this.end(undefined);
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.end(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    this.end(error);
  }
}

async function exchange(
  { url, headers, body }: WebhookRequest,
  { agent, timeoutMs, reset }: Exchange,
): Promise<DeliveryResult> {
  const started = performance.now();
  const { promise, resolve: onEnd } = Promise.withResolvers<unknown>();
  const handler = new ResponseHandler(onEnd);
  const timer = setTimeout(() => {
    handler.end(new TimedOut(`no complete response within ${timeoutMs / 1_000} s`));
  }, timeoutMs);
  try {
    const { origin, pathname, search } = new URL(url);
    const to = { origin, path: pathname + search, method: "POST" } as const;
    agent.dispatch({ ...to, headers: { ...headers, ...FIXED_HEADERS }, body, reset }, handler);
  } catch (problem) {
    handler.end(problem);
  }
  const problem = await promise;
  clearTimeout(timer);
  const { received } = handler;
  const { status, headers: responseHeaders } = received;
  const error = problem === undefined ? (isRedirect(status) ? "redirects are not followed" : null) : explain(problem);
  return {
    status,
    error,
    response: status === null ? null : bodyText(received),
    durationMs: Math.round(performance.now() - started),
    retryAfterMs: retryAfter(responseHeaders["retry-after"]),
    ok: error === null && status !== null && status >= 200 && status < 300,
  };
}

function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400;
}

/** Replaces control characters: PostgreSQL refuses NUL, and terminals interpret some of the others. */
function printable(text: string): string {
  return text.replace(/\r(?=\n)/g, "").replace(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}

function bodyText({ headers, pieces }: Received): string {
  const encoding = String(headers["content-encoding"] ?? "identity");
  // Compressed bodies are never decompressed, because a few bytes can become gigabytes.
  if (encoding.toLowerCase() !== "identity") return `(${printable(encoding).slice(0, TEXT_LIMIT)}, not shown)`;
  if (pieces.length === 0) return "";
  const start = Buffer.concat(pieces).subarray(0, BODY_LIMIT);
  // In streaming mode the decoder leaves out a character that the limit has split.
  return printable(new TextDecoder().decode(start, { stream: true }));
}

/** Returns the milliseconds of a Retry-After header (RFC 9110 §10.2.3): whole seconds, or a date in the one format that is still generated. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header);
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : isDate ? Date.parse(header) - nowMs() : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER);
}

const EXPLANATIONS: [codes: RegExp, explanation: string][] = [
  [/^ECONNREFUSED$/, "the receiver refused the connection"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the receiver closed the connection before its response was complete"],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "the receiver can't be reached"],
  [/^(ETIMEOUT|ESERVFAIL|EREFUSED|EBADRESP|EFORMERR)$/, "the DNS look-up of the host name failed"],
  [/^(HPE_|HTTPParserError$)/, "the receiver's response is not valid HTTP"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "the response's headers are too large"],
  [/^UND_ERR_(ABORTED|DESTROYED|CLOSED)$/, "aborted because the service is stopping"],
  [/^(ERR_SSL_|EPROTO$)/, "the TLS handshake with the receiver failed"],
];

/** Codes with which OpenSSL and Node reject a certificate. */
const CERTIFICATE = /^(CERT_|CRL_|DEPTH_ZERO_|ERR_TLS_CERT_|INVALID_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

function explain(error: unknown): string {
  if (error instanceof ConnectionRefused || error instanceof TimedOut) return error.message;
  if (!(error instanceof Error)) return printable(String(error)).slice(0, TEXT_LIMIT);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const message = printable(error.message).slice(0, TEXT_LIMIT);
  if (CERTIFICATE.test(code)) return `the receiver's certificate is not accepted: ${message} (${code})`;
  const explanation = EXPLANATIONS.find(([codes]) => codes.test(code))?.[1] ?? message;
  return `${explanation} (${code})`;
}
