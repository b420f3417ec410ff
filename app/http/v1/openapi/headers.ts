import type { Schema } from "./schemas.ts";

export interface HeaderObject {
  description: string;
  required: boolean;
  schema: Schema;
  example: string | number;
}

export type HeaderName = keyof typeof HEADERS;
export type HeaderReferences = Record<string, { $ref: string }>;

/** The response headers of the contract. A required header is present in every response that lists it. */
export const HEADERS = {
  "X-Request-Id": {
    description: "Identifies the request in our log. Quote it when you report a problem.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9A-Za-z]{22}$" },
    example: "req_5Yc1Jv0RkTq3ZbNw8XhLd2",
  },
  RateLimit: {
    description:
      "For each limit that the request counts against: remaining requests (`r`) and seconds until the window ends (`t`).",
    required: true,
    schema: { type: "string" },
    example: '"admin";r=119;t=60',
  },
  "RateLimit-Policy": {
    description: "The same limits: allowed requests (`q`) per window of seconds (`w`).",
    required: true,
    schema: { type: "string" },
    example: '"admin";q=120;w=60',
  },
  "Retry-After": {
    description: "Whole seconds after which to retry.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  ETag: {
    description:
      "Identifies this state of the resource. Send it as `If-None-Match` to get 304 while nothing has changed.",
    required: true,
    schema: { type: "string", pattern: '^(W/)?"[^"]+"$' },
    example: '"Zk3v0Rr8pXq1LwT9uYb5Ng"',
  },
  Allow: {
    description: "With 405: the methods that the path supports.",
    required: false,
    schema: { type: "string" },
    example: "GET, HEAD, OPTIONS",
  },
  "WWW-Authenticate": {
    description: "How to authenticate, and what is wrong with the credentials that were sent (RFC 6750).",
    required: true,
    schema: { type: "string" },
    example: 'Bearer realm="wishlist", error="invalid_token", error_description="expired"',
  },
} as const satisfies Record<string, HeaderObject>;

export function references(names: readonly HeaderName[]): HeaderReferences {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** These responses can be sent before the request was counted, so they have no limit headers. */
const UNCOUNTED: readonly number[] = [413, 500, 503];

/**
 * Returns the headers of a response.
 * @param charged whether requests to the endpoint count against a limit
 * @param tagged whether its responses have an ETag
 */
export function headersOf(
  status: number,
  { charged, tagged = false }: { charged: boolean; tagged?: boolean },
): HeaderName[] {
  const names: HeaderName[] = ["X-Request-Id"];
  if (charged && !UNCOUNTED.includes(status)) names.push("RateLimit", "RateLimit-Policy");
  if (tagged) names.push("ETag");
  if (status === 401) names.push("WWW-Authenticate");
  if (status === 429 || status === 503) names.push("Retry-After");
  return names;
}
