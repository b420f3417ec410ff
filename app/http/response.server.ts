import type { Failure } from "../platform/failure.ts";
import {
  compress,
  compressCached,
  isWorthCompressing,
  varyByEncoding,
  toWeakTag,
  type Effort,
  type Encoding,
} from "./compression.server.ts";
import { statusOf } from "./failure-registry.ts";

export type Headers = Record<string, string>;

const COMMON_HEADERS: Headers = { "X-Content-Type-Options": "nosniff" };

/** Sent with every /v1 response. Browsers never send credentials for /v1 automatically, so any origin may read the responses. */
const CORS_HEADERS: Headers = {
  ...COMMON_HEADERS,
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Deprecation, ETag, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Client-Request-Id, X-Request-Id",
};

/** The pages that may read the responses: those of any origin, or only those of the requested host. */
export type CorsPolicy = "any-origin" | "same-origin";

function commonHeaders(cors: CorsPolicy | undefined): Headers {
  return cors === "same-origin" ? COMMON_HEADERS : CORS_HEADERS;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** The result of a successful handler. */
export type SuccessResult<Data> =
  | { data: Data; headers?: Headers }
  /** the data as JSON text from the database; tests check it against the endpoint's schema */
  | { json: string; headers?: Headers }
  /** 304: the caller's copy is current */
  | { notModified: true; headers?: Headers }
  /** a page or file, without the envelope */
  | { document: string; type: string; status?: number; headers?: Headers }
  /** a response that goes on; null for HEAD */
  | { stream: ReadableStream<Uint8Array> | null; type: string; headers?: Headers };

interface ResponseOptions {
  status: number;
  requestId: string;
  headers: Headers | undefined;
  withBody: boolean;
  cors?: CorsPolicy;
}

/** A response before compression. */
interface UncompressedResponse {
  status: number;
  headers: Headers;
  text: string | null;
}

function headersOf(success: SuccessResult<unknown>, frame: ResponseOptions): Headers {
  return {
    ...commonHeaders(frame.cors),
    "X-Request-Id": frame.requestId,
    "Cache-Control": "no-store",
    ...frame.headers,
    ...success.headers,
  };
}

type TextResult = Exclude<SuccessResult<unknown>, { stream: unknown }>;

function uncompressed(success: TextResult, frame: ResponseOptions): UncompressedResponse {
  const headers = headersOf(success, frame);
  if ("notModified" in success) return { status: 304, headers, text: null };
  if ("document" in success) {
    headers["Content-Type"] = success.type;
    return { status: success.status ?? frame.status, headers, text: success.document };
  }
  headers["Content-Type"] = JSON_TYPE;
  const text = `{"ok":true,"data":${"json" in success ? success.json : JSON.stringify(success.data)}}`;
  return { status: frame.status, headers, text };
}

export function successResponse(success: SuccessResult<unknown>, frame: ResponseOptions): Response {
  if (!("stream" in success)) return toResponse(uncompressed(success, frame), frame.withBody);
  const headers = { ...headersOf(success, frame), "Content-Type": success.type };
  return new Response(success.stream, { status: frame.status, headers });
}

function toResponse({ status, headers, text }: UncompressedResponse, withBody: boolean): Response {
  if (text !== null && !withBody) headers["Content-Length"] = String(Buffer.byteLength(text));
  return new Response(withBody ? text : null, { status, headers });
}

/**
 * Creates a response that is compressed if the client accepts it. HEAD gets the headers of GET except the length, which is unknown
 * without compressing.
 * @param encoding the client's preferred encoding; undefined when it accepts none
 * @param effort of the compression of a response that is not shared
 * @param shared whether the response is the same for all callers, so that its compressed form is cached
 */
export async function compressedResponse(
  success: TextResult,
  frame: ResponseOptions,
  { encoding, shared, effort }: { encoding: Encoding | undefined; shared: boolean; effort: Effort },
): Promise<Response> {
  const made = uncompressed(success, frame);
  const { status, headers, text } = made;
  headers["Vary"] = varyByEncoding(headers["Vary"]);
  if (encoding === undefined || text === null || !isWorthCompressing(Buffer.byteLength(text)))
    return toResponse(made, frame.withBody);
  const body = frame.withBody
    ? await (shared ? compressCached(text, encoding) : compress(text, encoding, effort))
    : null;
  if (body === undefined) return toResponse(made, frame.withBody);
  headers["Content-Encoding"] = encoding;
  if (headers["ETag"] !== undefined) headers["ETag"] = toWeakTag(headers["ETag"]);
  return new Response(body && new Uint8Array(body), { status, headers });
}

/** Returns the authentication challenge, with the error of the credentials that were sent (RFC 6750 §3). */
function challenge(failure: Failure): Headers {
  switch (failure.code) {
    case "missing_token":
    case "invalid_credentials":
    case "invalid_publishable_key":
    case "invalid_customer_token":
    case "invalid_session_token":
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

interface FailureFrame {
  requestId: string;
  headers?: Headers | undefined;
  withBody?: boolean;
  cors?: CorsPolicy;
  /** sends status and `retryAfter` in the body, and 200 as the status */
  statusInBody?: boolean;
}

export function failureResponse(failure: Failure, frame: FailureFrame): Response {
  const { code, message, details, retryAfter } = failure;
  const status = statusOf(code);
  const body = JSON.stringify({
    ok: false,
    error: {
      code,
      message,
      requestId: frame.requestId,
      ...(details === undefined ? {} : { details }),
      ...(frame.statusInBody ? { status, retryAfter } : {}),
    },
  });
  return new Response(frame.withBody === false ? null : body, {
    status: frame.statusInBody ? 200 : status,
    headers: {
      ...commonHeaders(frame.cors),
      "Content-Type": JSON_TYPE,
      "Cache-Control": "no-store",
      "X-Request-Id": frame.requestId,
      ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
      ...challenge(failure),
      ...frame.headers,
    },
  });
}

/** Creates the response to a CORS preflight and to any other OPTIONS request. */
export function optionsResponse(allow: string, requestId: string, cors?: CorsPolicy): Response {
  if (cors === "same-origin") {
    return new Response(null, { status: 204, headers: { ...COMMON_HEADERS, Allow: allow, "X-Request-Id": requestId } });
  }
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      Allow: allow,
      "Access-Control-Allow-Methods": allow,
      "Access-Control-Allow-Headers":
        "Authorization, Content-Type, If-None-Match, Idempotency-Key, Last-Event-ID, X-Request-Id",
      "Access-Control-Max-Age": "86400",
      "X-Request-Id": requestId,
    },
  });
}
