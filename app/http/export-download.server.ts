import type { LoaderFunctionArgs } from "@remix-run/node";
import { Failure } from "../platform/failure.ts";
import { statusOf } from "./failure-registry.ts";
import { failedAuthenticationCharge } from "./policy.server.ts";
import { chargeRequest, checkExhausted } from "./rate-limits.server.ts";

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" };

function failed({ code, message, retryAfter }: Failure): Response {
  return new Response(message, {
    status: statusOf(code),
    headers: {
      ...HEADERS,
      "Content-Type": "text/plain; charset=utf-8",
      ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
    },
  });
}

interface Download {
  body: ReadableStream<Uint8Array>;
  type: string;
  fileName: string;
}

/**
 * Creates the `loader` of a route that streams an export. The token in the URL authenticates it, because a browser that follows a link sends no
 * session token.
 * @param path route name in the log
 */
export function exportDownload(path: string, redeem: (token: string) => Promise<Download | Failure>) {
  return async ({ request, context }: LoaderFunctionArgs): Promise<Response> => {
    const { http } = context;
    http.logged.route = path;
    // Redeeming a token invalidates it, so a HEAD request must not.
    if (request.method !== "GET") return new Response(null, { status: 405, headers: { ...HEADERS, Allow: "GET" } });
    const closed = await checkExhausted(failedAuthenticationCharge(http));
    if (closed) return failed(closed.refusal);
    const queryStart = http.target.indexOf("?");
    const query = new URLSearchParams(queryStart < 0 ? "" : http.target.slice(queryStart));
    const exported = await redeem(query.get("token") ?? "");
    if (exported instanceof Failure) {
      await chargeRequest([failedAuthenticationCharge(http)]);
      return failed(exported);
    }
    const { body, type, fileName } = exported;
    return new Response(body, {
      headers: { ...HEADERS, "Content-Type": type, "Content-Disposition": `attachment; filename="${fileName}"` },
    });
  };
}
