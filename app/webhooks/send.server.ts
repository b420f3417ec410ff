import { Agent, request as httpRequest, type buildConnector } from "undici";
import { nowMs } from "../platform/clock.server.ts";
import { ConnectionRefused, safeConnector } from "./connect.server.ts";
import { FIXED_HEADERS } from "./request.ts";

const TIMEOUT = 15_000;
/** Bytes of an answer's body that are read and kept. */
const BODY_KEPT = 2_048;
const HEADERS_LIMIT = 16 * 1024;
/** Milliseconds for which an idle connection is kept: short, because receivers close theirs without notice. */
const KEEP_ALIVE = 4_000;
/** Open connections, over all endpoints, from which on none is kept after its request. */
const KEPT = 1_024;
const LONGEST_RETRY_AFTER = 12 * 60 * 60_000;
/** Characters of what a receiver has a say in: a header, a name in its certificate. */
const TEXT_SHOWN = 300;

export interface DeliveryResult {
  status: number | null;
  /** why there was no answer, or no whole one */
  error: string | null;
  /** the first 2 KiB of the answer's body as text; null when there was no answer */
  response: string | null;
  durationMs: number;
  /** ms the receiver asked for with Retry-After */
  retryAfterMs: number | undefined;
  /** 2xx and the answer arrived */
  ok: boolean;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Connections of one endpoint. */
export interface Channel {
  /** Never rejects. The time limit begins with the connection: a request never waits for a free one. */
  send: (request: WebhookRequest) => Promise<DeliveryResult>;
  /** Ends the connections. Requests in flight end with an error. */
  close: () => Promise<void>;
}

export interface Sender {
  /** Opens a channel of its own for an endpoint: receivers that hang hold no connection that another endpoint could need. */
  open: () => Channel;
  /** Closes all channels, and those that are opened later. */
  close: () => Promise<void>;
}

export interface SenderOptions {
  allowLoopback: boolean;
  /** for tests */
  timeoutMs?: number;
  /** for tests */
  dnsServers?: readonly string[];
  /** for tests */
  kept?: number;
}

/** What has come of an answer so far. */
interface Received {
  status: number | null;
  headers: Record<string, string | string[] | undefined>;
  pieces: Uint8Array[];
}

class TooLate extends Error {}

/** Sends webhooks over HTTP to untrusted receivers: they may be slow, broken or hostile. */
export function createSender({ allowLoopback, timeoutMs = TIMEOUT, dnsServers, kept = KEPT }: SenderOptions): Sender {
  const connect = counted(safeConnector({ allowLoopback, timeoutMs, dnsServers }));
  const channels = new Set<Channel>();
  let closed = false;

  function open(): Channel {
    const agent = new Agent({
      connect: connect.connector,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      maxHeaderSize: HEADERS_LIMIT,
      // One clock for the whole exchange: undici's start anew with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const channel: Channel = {
      send: (request) => exchange(request, { agent, timeoutMs, reset: connect.open() >= kept }),
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

/** Counts the connections that stand. */
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
  /** ends the connection afterwards */
  reset: boolean;
}

async function receive(
  { url, headers, body }: WebhookRequest,
  { agent, reset }: Exchange,
  { received, signal }: { received: Received; signal: AbortSignal },
): Promise<void> {
  const answer = await httpRequest(url, {
    dispatcher: agent,
    method: "POST",
    headers: { ...headers, ...FIXED_HEADERS },
    body,
    signal,
    reset,
  });
  received.status = answer.statusCode;
  received.headers = answer.headers;
  const pieces: AsyncIterable<Uint8Array> = answer.body;
  let bytes = 0;
  for await (const piece of pieces) {
    received.pieces.push(piece);
    bytes += piece.length;
    // Leaving destroys the connection, and with it whatever else would come.
    if (bytes > BODY_KEPT) return;
  }
}

async function exchange(request: WebhookRequest, over: Exchange): Promise<DeliveryResult> {
  const started = performance.now();
  const received: Received = { status: null, headers: {}, pieces: [] };
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Raced against, because undici does not hear the signal while it connects.
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TooLate(`no whole answer within ${over.timeoutMs / 1_000} s`);
      reject(error);
      deadline.abort(error);
    }, over.timeoutMs);
  });
  let error: string | null = null;
  try {
    await Promise.race([receive(request, over, { received, signal: deadline.signal }), tooLate]);
    if (isRedirect(received.status)) error = "redirects are not followed";
  } catch (problem) {
    error = explain(problem);
  } finally {
    clearTimeout(timer);
  }
  const { status, headers } = received;
  return {
    status,
    error,
    response: status === null ? null : bodyText(received),
    durationMs: Math.round(performance.now() - started),
    retryAfterMs: retryAfter(headers["retry-after"]),
    ok: error === null && status !== null && status >= 200 && status < 300,
  };
}

function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400;
}

/** Without control characters: PostgreSQL refuses NUL, and terminals obey some of the others. */
function printable(text: string): string {
  return text.replace(/\r(?=\n)/g, "").replace(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}

function bodyText({ headers, pieces }: Received): string {
  const encoding = String(headers["content-encoding"] ?? "identity");
  // Never decompressed: a few bytes can become gigabytes.
  if (encoding.toLowerCase() !== "identity") return `(${printable(encoding).slice(0, TEXT_SHOWN)}, not shown)`;
  const kept = Buffer.concat(pieces).subarray(0, BODY_KEPT);
  // As a stream: a character that the cut has split is left out.
  return printable(new TextDecoder().decode(kept, { stream: true }));
}

/** RFC 9110 §10.2.3: whole seconds or a date, in the one form that is still sent. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header);
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : isDate ? Date.parse(header) - nowMs() : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER);
}

const EXPLANATIONS: [codes: RegExp, explanation: string][] = [
  [/^ECONNREFUSED$/, "the receiver refused the connection"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the receiver closed the connection before its answer was whole"],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "the receiver can't be reached"],
  [/^(ETIMEOUT|ESERVFAIL|EREFUSED|EBADRESP|EFORMERR)$/, "DNS gave no answer for the name"],
  [/^(HPE_|HTTPParserError$)/, "what the receiver answered is no HTTP"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "the answer's headers are too large"],
  [/^UND_ERR_(ABORTED|DESTROYED|CLOSED)$/, "cut short: the service is stopping"],
  [/^(ERR_SSL_|EPROTO$)/, "the receiver does not speak TLS as it should"],
];

/** How OpenSSL and Node name what they don't accept about a certificate. */
const CERTIFICATE = /^(CERT_|CRL_|DEPTH_ZERO_|ERR_TLS_CERT_|INVALID_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

function explain(error: unknown): string {
  if (error instanceof ConnectionRefused || error instanceof TooLate) return error.message;
  if (!(error instanceof Error)) return printable(String(error)).slice(0, TEXT_SHOWN);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const message = printable(error.message).slice(0, TEXT_SHOWN);
  if (CERTIFICATE.test(code)) return `the receiver's certificate is not accepted: ${message} (${code})`;
  const explanation = EXPLANATIONS.find(([codes]) => codes.test(code))?.[1] ?? message;
  return `${explanation} (${code})`;
}
