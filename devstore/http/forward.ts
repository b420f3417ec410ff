import { request as send } from "undici";

/** Of one connection, not of a request (RFC 9110, 7.6.1). */
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

export interface Forwarded {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Headers that may go on to the next hop. */
export function passableHeaders(headers: Headers, without: readonly string[] = []): Headers {
  const passed = new Headers();
  for (const [name, value] of headers) {
    if (!HOP_BY_HOP.has(name) && !without.includes(name)) passed.append(name, value);
  }
  return passed;
}

/**
 * Sends a request as a proxy does: nothing of ours is added, redirects are not followed.
 * @throws when there is no answer
 */
export async function forward(
  url: string,
  {
    method,
    headers,
    body,
    timeoutMs = 30_000,
  }: { method: string; headers: Headers; body?: Buffer; timeoutMs?: number },
): Promise<Forwarded> {
  headers.delete("accept-encoding");
  const answer = await send(url, {
    method: toMethod(method),
    headers: Object.fromEntries(headers),
    ...(body !== undefined && body.length > 0 && { body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const passed = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (HOP_BY_HOP.has(name) || value === undefined) continue;
    for (const one of typeof value === "string" ? [value] : value) passed.append(name, one);
  }
  return { status: answer.statusCode, headers: passed, body: Buffer.from(await answer.body.arrayBuffer()) };
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

function toMethod(method: string): (typeof METHODS)[number] {
  const known = METHODS.find((one) => one === method);
  if (known === undefined) throw new Error(`${method} is not passed on`);
  return known;
}

/** Statuses that have no body. */
const EMPTY = new Set([101, 204, 205, 304]);

export function toResponse({ status, headers, body }: Forwarded): Response {
  return new Response(EMPTY.has(status) ? null : new Uint8Array(body), { status, headers });
}
