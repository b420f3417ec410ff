import { FAILURE_STATUS, type Failure } from "../platform/failure.ts";
import { compress, compressOnce, isWorthIt, varyByEncoding, weakTag, type Encoding } from "./compression.server.ts";

export type Headers = Record<string, string>;

const COMMON: Headers = { "X-Content-Type-Options": "nosniff" };

/** On every answer under /v1. Credentials are never sent by a browser on its own here, so any origin may read. */
const ANY_ORIGIN: Headers = {
  ...COMMON,
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id",
};

/** Whose pages may read the answers: anybody's, or those of the host that the browser asked. */
export type Readers = "any-origin" | "same-origin";

function common(readers: Readers | undefined): Headers {
  return readers === "same-origin" ? COMMON : ANY_ORIGIN;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** What a handler answers with when it succeeds. */
export type Success<Data> =
  | { data: Data; headers?: Headers }
  /** the data as JSON text that the database has made; tests hold it to the endpoint's schema */
  | { json: string; headers?: Headers }
  /** 304: the caller's copy is still right */
  | { notModified: true; headers?: Headers }
  /** a page or file, without the envelope */
  | { document: string; type: string; status?: number; headers?: Headers };

interface Frame {
  status: number;
  requestId: string;
  headers: Headers | undefined;
  withBody: boolean;
  readers?: Readers;
}

/** An answer without its body's coding. */
interface Plain {
  status: number;
  headers: Headers;
  text: string | null;
}

function plain(success: Success<unknown>, frame: Frame): Plain {
  const headers: Headers = {
    ...common(frame.readers),
    "X-Request-Id": frame.requestId,
    "Cache-Control": "no-store",
    ...frame.headers,
    ...success.headers,
  };
  if ("notModified" in success) return { status: 304, headers, text: null };
  if ("document" in success) {
    headers["Content-Type"] = success.type;
    return { status: success.status ?? frame.status, headers, text: success.document };
  }
  headers["Content-Type"] = JSON_TYPE;
  const text = `{"ok":true,"data":${"json" in success ? success.json : JSON.stringify(success.data)}}`;
  return { status: frame.status, headers, text };
}

export function successResponse(success: Success<unknown>, frame: Frame): Response {
  return send(plain(success, frame), frame.withBody);
}

function send({ status, headers, text }: Plain, withBody: boolean): Response {
  if (text !== null && !withBody) headers["Content-Length"] = String(Buffer.byteLength(text));
  return new Response(withBody ? text : null, { status, headers });
}

/**
 * The same, compressed where the client accepts it. HEAD gets the headers of GET, but for the length, which only compressing would tell.
 * @param encoding that the client prefers; none when it accepts none
 * @param forEverybody the same for all callers, so that it is compressed once
 */
export async function compressedResponse(
  success: Success<unknown>,
  frame: Frame,
  { encoding, forEverybody }: { encoding: Encoding | undefined; forEverybody: boolean },
): Promise<Response> {
  const made = plain(success, frame);
  const { status, headers, text } = made;
  headers["Vary"] = varyByEncoding(headers["Vary"]);
  if (encoding === undefined || text === null || !isWorthIt(Buffer.byteLength(text))) return send(made, frame.withBody);
  const body = frame.withBody ? await (forEverybody ? compressOnce : compress)(text, encoding) : null;
  if (body === undefined) return send(made, frame.withBody);
  headers["Content-Encoding"] = encoding;
  if (headers["ETag"] !== undefined) headers["ETag"] = weakTag(headers["ETag"]);
  return new Response(body && new Uint8Array(body), { status, headers });
}

/** RFC 6750 §3: what a client is told to authenticate with, and what was wrong with what it sent. */
function challenge(failure: Failure): Headers {
  switch (failure.code) {
    case "missing_token":
    case "invalid_credentials":
      return { "WWW-Authenticate": 'Bearer realm="wishlist"' };
    case "invalid_token":
    case "token_expired":
      return {
        "WWW-Authenticate": `Bearer realm="wishlist", error="invalid_token", error_description="${failure.code === "token_expired" ? "expired" : "not valid"}"`,
      };
    case "insufficient_scope":
      return { "WWW-Authenticate": 'Bearer realm="wishlist", error="insufficient_scope"' };
    default:
      return {};
  }
}

export function failureResponse(
  failure: Failure,
  frame: { requestId: string; headers?: Headers | undefined; withBody?: boolean; readers?: Readers },
): Response {
  const { code, message, details, retryAfter } = failure;
  const body = JSON.stringify({
    ok: false,
    error: { code, message, requestId: frame.requestId, ...(details === undefined ? {} : { details }) },
  });
  return new Response(frame.withBody === false ? null : body, {
    status: FAILURE_STATUS[code],
    headers: {
      ...common(frame.readers),
      "Content-Type": JSON_TYPE,
      "Cache-Control": "no-store",
      "X-Request-Id": frame.requestId,
      ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
      ...challenge(failure),
      ...frame.headers,
    },
  });
}

/** The answer to a CORS preflight, and to any OPTIONS. */
export function optionsResponse(allow: string, requestId: string, readers?: Readers): Response {
  if (readers === "same-origin") {
    return new Response(null, { status: 204, headers: { ...COMMON, Allow: allow, "X-Request-Id": requestId } });
  }
  return new Response(null, {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      Allow: allow,
      "Access-Control-Allow-Methods": allow,
      "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, Idempotency-Key",
      "Access-Control-Max-Age": "86400",
      "X-Request-Id": requestId,
    },
  });
}
