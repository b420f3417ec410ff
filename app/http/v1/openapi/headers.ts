import type { Schema } from "./schemas.ts";

export interface HeaderObject {
  description: string;
  required: boolean;
  schema: Schema;
  example: string | number;
}

export type HeaderName = keyof typeof HEADERS;
export type HeaderReferences = Record<string, { $ref: string }>;

/** The headers that callers can rely on: where a required one is listed for an answer, it is there. */
export const HEADERS = {
  "X-Request-Id": {
    description: "Identifies the request in our log. Quote it when you report a problem.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9A-Za-z]{22}$" },
    example: "req_5Yc1Jv0RkTq3ZbNw8XhLd2",
  },
  RateLimit: {
    description: "For each quota that the request counts against: requests left (`r`) and seconds to its end (`t`).",
    required: true,
    schema: { type: "string" },
    example: '"admin";r=119;t=60',
  },
  "RateLimit-Policy": {
    description: "The same quotas: requests allowed (`q`) in a window of seconds (`w`).",
    required: true,
    schema: { type: "string" },
    example: '"admin";q=120;w=60',
  },
  "Retry-After": {
    description: "Whole seconds after which another try makes sense.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  ETag: {
    description:
      "Stands for this state of the answer. Send it as `If-None-Match` to get 304 while nothing has changed.",
    required: true,
    schema: { type: "string", pattern: '^(W/)?"[^"]+"$' },
    example: '"Zk3v0Rr8pXq1LwT9uYb5Ng"',
  },
  Allow: {
    description: "With 405: the methods that the path answers.",
    required: false,
    schema: { type: "string" },
    example: "GET, HEAD, OPTIONS",
  },
  "WWW-Authenticate": {
    description: "How to authenticate, and what was wrong with what was sent (RFC 6750).",
    required: true,
    schema: { type: "string" },
    example: 'Bearer realm="wishlist", error="invalid_token", error_description="expired"',
  },
} as const satisfies Record<string, HeaderObject>;

export function references(names: readonly HeaderName[]): HeaderReferences {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What was refused or went wrong before it was counted carries no quota. */
const UNCOUNTED: readonly number[] = [413, 500, 503];

/**
 * The headers of an answer.
 * @param charged does the endpoint count against a quota?
 * @param tagged does it answer with an ETag?
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
