import { env } from "../platform/process/env.server.ts";
import type { Span } from "../platform/tracing/context.server.ts";
import { isTracing, startSpan } from "../platform/tracing/tracing.server.ts";

/**
 * Starts the span of a request. A stranger's `traceparent` is only a link, so that the caller neither decides what is recorded nor chooses the trace.
 * @returns undefined without tracing
 */
export function startRequestSpan(
  method: string,
  requestId: string,
  given: string | string[] | undefined,
): Span | undefined {
  if (!isTracing()) return undefined;
  const attributes = { "http.request.method": method, "wishlist.request_id": requestId };
  const traceparent = typeof given === "string" ? given : undefined;
  return env().trustTraceparent && traceparent !== undefined
    ? startSpan(method, { kind: "server", attributes, parent: traceparent })
    : startSpan(method, { kind: "server", attributes, parent: null, links: traceparent ? [traceparent] : [] });
}

/** Ends the span of a request. Its name has the route's pattern, because paths can contain tokens. */
export function endRequestSpan(
  span: Span,
  method: string,
  { route, code, status, aborted }: { route?: string; code?: string; status: number; aborted: boolean },
): void {
  if (route !== undefined) span.rename(`${method} ${route}`);
  span.set({
    "http.route": route,
    "http.response.status_code": status,
    "wishlist.error_code": code,
    ...(aborted ? { "wishlist.aborted": true } : {}),
  });
  span.end(status >= 500 ? String(status) : undefined);
}
