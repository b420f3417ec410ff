import { request as sendRequest } from "undici";
import type { Options } from "./options.ts";

/** Headers that belong to a connection and are not forwarded (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "content-length",
  "expect",
]);

export interface AppResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

interface AppRequest {
  method: string;
  headers: Headers;
  body?: Buffer | string | undefined;
  signal?: AbortSignal;
}

/** Sends requests to the app, which listens on this machine or runs in this process. */
export interface AppClient {
  /** an address, or a description of the app in this process */
  readonly address: string;
  /** Changes where the app listens. */
  connect: (address: string) => void;
  /**
   * Sends a request as a proxy does: adds no headers and does not follow redirects.
   * @param path path with query, or an absolute address of a webhook subscription elsewhere
   * @throws when the app sends no response
   */
  send: (path: string, request: AppRequest) => Promise<AppResponse>;
}

/** Returns the headers that a proxy passes on. */
export function forwardableHeaders(headers: Iterable<[string, string]>, without: readonly string[] = []): Headers {
  const passed = new Headers();
  for (const [name, value] of headers) {
    if (!HOP_BY_HOP.has(name) && !without.includes(name)) passed.append(name, value);
  }
  return passed;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

function toMethod(method: string): (typeof METHODS)[number] {
  const known = METHODS.find((one) => one === method);
  if (known === undefined) throw new Error(`${method} is not forwarded`);
  return known;
}

async function sendOverHttp(url: string, { method, headers, body, signal }: AppRequest): Promise<AppResponse> {
  const response = await sendRequest(url, {
    method: toMethod(method),
    headers: Object.fromEntries(headers),
    ...(body !== undefined && body.length > 0 && { body }),
    ...(signal !== undefined && { signal }),
  });
  const received: [string, string][] = [];
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of [value ?? []].flat()) received.push([name, one]);
  }
  return {
    status: response.statusCode,
    headers: forwardableHeaders(received),
    body: Buffer.from(await response.body.arrayBuffer()),
  };
}

export function createAppClient({ app, appAddress, appUrl }: Options): AppClient {
  let address = appAddress;
  return {
    get address() {
      return address ?? (app === undefined ? "(not connected)" : "(this process)");
    },
    connect(to) {
      address = to;
    },
    async send(path, request) {
      request.headers.delete("accept-encoding");
      if (!path.startsWith("/")) return sendOverHttp(path, request);
      if (address !== undefined) return sendOverHttp(address + path, request);
      if (app === undefined) throw new Error("the devstore knows no app: pass `appAddress` or `app`");
      const { method, headers, body, signal } = request;
      const response = await app(
        new Request(appUrl + path, {
          method: toMethod(method),
          headers,
          ...(body !== undefined &&
            body.length > 0 && { body: typeof body === "string" ? body : new Uint8Array(body) }),
          ...(signal !== undefined && { signal }),
          redirect: "manual",
        }),
      );
      return {
        status: response.status,
        headers: forwardableHeaders(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      };
    },
  };
}

/** Statuses of responses without a body. */
const BODILESS = new Set([101, 204, 205, 304]);

export function toResponse({ status, headers, body }: AppResponse): Response {
  return new Response(BODILESS.has(status) ? null : new Uint8Array(body), { status, headers });
}
