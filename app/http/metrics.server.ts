import { secrets } from "../platform/process/env.server.ts";
import { durations, type DurationSeries } from "../platform/metrics/durations.server.ts";
import { counterOf, gauge, METRICS_TYPE, scrape } from "../platform/metrics/metrics.server.ts";
import type { RequestContext } from "./context.ts";
import { hasOperatorToken } from "./operator-token.server.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

const requestDurations = durations(
  "http_request_duration_seconds",
  "Time from a request's head to the end of its response, of a stream to its beginning, by route pattern and method",
  { route: [], method: [] },
);

/** The requests of one route and method. Plain numbers, because every request counts. */
interface RequestCounts {
  route: string;
  method: string;
  statuses: Map<number | "aborted", number>;
  durations: DurationSeries;
}

/** By method and route. */
const counts = new Map<string, RequestCounts>();

function countsOf(method: string, route: string): RequestCounts {
  const key = `${method} ${route}`;
  let found = counts.get(key);
  if (!found) {
    found = { route, method, statuses: new Map(), durations: requestDurations.series({ route, method }) };
    counts.set(key, found);
  }
  return found;
}

counterOf(
  "http_requests_total",
  "Requests by route pattern, method and status; the status is `aborted` when the caller disconnected before the response was sent",
  { route: [], method: [], status: [] },
  () =>
    [...counts.values()].flatMap(({ route, method, statuses }) =>
      [...statuses].map(([status, value]) => ({ labels: { route, method, status }, value })),
    ),
);

let inFlight = 0;
gauge("http_requests_in_flight", "Requests without a complete response", undefined, () => [
  { labels: {}, value: inFlight },
]);

/** Counts a request that arrives. */
export function countArrival(): void {
  inFlight++;
}

/** Counts a request that `countArrival` has counted and that has ended. @param route its pattern; undefined when no route matches */
export function countRequest(request: {
  route: string | undefined;
  method: string;
  status: number;
  ms: number;
  aborted: boolean;
}): void {
  inFlight--;
  const { route = "unmatched", ms } = request;
  const method = METHODS.has(request.method) ? request.method : "other";
  const status = request.aborted ? "aborted" : request.status;
  const { statuses, durations: series } = countsOf(method, route);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  series.observe(ms / 1_000);
}

export const METRICS_PATH = "/metrics";

/**
 * Returns the metrics to a holder of METRICS_TOKEN. Without the token, the path must look like one that does not exist: a refused request
 * gets no response here, also when its address has used up its failed authentications.
 */
export async function metricsResponse(request: Request, context: RequestContext): Promise<Response | undefined> {
  const { metricsToken } = secrets();
  if (metricsToken === undefined || (request.method !== "GET" && request.method !== "HEAD")) return undefined;
  if (!(await hasOperatorToken(request, metricsToken, context))) return undefined;
  context.logged.route = METRICS_PATH;
  const text = await scrape();
  return new Response(request.method === "HEAD" ? null : text, {
    headers: { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
  });
}
