import type { Env } from "../app/platform/process/env.server.ts";
import type { AppBuild } from "./build.ts";
import type { RouteMatch } from "./fast-path.ts";
import { isHost } from "./target.ts";

/** The only paths that a process with the role `worker` serves, beside its metrics. */
export const HEALTH = new Set(["/healthz", "/readyz"]);

/** Remix's former parameter for one route's data. Remix would log an error with a stack for each such request. */
const LEGACY_DATA = /[?&]_data(?:=|&|$)/;

export type Service = AppBuild["entry"]["module"]["service"];
type Failure = InstanceType<Service["Failure"]>;

/** What the app needs of a request before its body is read. */
export interface RequestHead {
  method: string;
  /** the request target as it was sent, which parsing as a URL would normalise */
  target: string;
  headers: {
    host?: string | undefined;
    "content-length"?: string | undefined;
    "x-forwarded-for"?: string | string[] | undefined;
    traceparent?: string | string[] | undefined;
    "x-request-id"?: string | string[] | undefined;
  };
  /** HTTP/1.1 requires the header Host */
  httpVersion: string;
  /** address of the peer: the client, or the nearest proxy */
  remoteAddress: string;
}

export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** Returns the address of the client who sent a request. */
export function clientAddressOf(head: RequestHead, target: string, service: Service, env: Env): string {
  // How many of Shopify's own proxies to trust is known once the request's signature has been checked.
  const isProxied = env.trustedProxyHops === 0 && target.startsWith("/proxy");
  const forwarded = isProxied ? undefined : forwardedFor(head);
  return service.clientAddress(head.remoteAddress, forwarded, env.trustedProxyHops);
}

function forwardedFor({ headers }: RequestHead): string | undefined {
  const given = headers["x-forwarded-for"];
  return typeof given === "string" ? given : given?.join(",");
}

export function servesNoRequests(service: Service): Failure {
  return new service.Failure("not_found", "This process works in the background and serves no requests.");
}

/**
 * Returns the reason why a request must not reach a route, if there is one.
 * @param target empty when it is not valid
 */
export function refusalOf(
  { headers, httpVersion }: RequestHead,
  target: string,
  route: RouteMatch | undefined,
  { service, env }: { service: Service; env: Env },
): Failure | undefined {
  const { host } = headers;
  if (host === undefined ? httpVersion === "1.1" : host !== "" && !isHost(host)) {
    return new service.Failure("invalid_request", "The request's Host header is missing or not valid.");
  }
  if (target === "") {
    const message = "The request's path is not valid. Percent-encode it; `.` and `..` are not ids.";
    return new service.Failure("invalid_request", message);
  }
  const limit = route ? (route.bodyLimit ?? service.BODY_LIMIT) : service.FORM_BODY_LIMIT;
  if (Number(headers["content-length"] ?? 0) > limit) return service.payloadTooLarge(limit);
  if (env.role === "worker" && !HEALTH.has(target) && pathOf(target) !== service.METRICS_PATH) {
    return servesNoRequests(service);
  }
  if (!route && LEGACY_DATA.test(target)) {
    return new service.Failure("invalid_request", "query._data is not a known query parameter.");
  }
  return undefined;
}
