import type { LoaderFunctionArgs } from "@remix-run/node";
import { chargeRequest, checkExhausted } from "../http/rate-limits.server.ts";
import { failedAuthenticationCharge } from "../http/policy.server.ts";
import { statusOf } from "../http/failure-registry.ts";
import { Failure } from "../platform/failure.ts";
import { redeemTicket } from "../wishlists/index.server.ts";

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" };

function refusal({ code, message, retryAfter }: Failure): Response {
  return new Response(message, {
    status: statusOf(code),
    headers: {
      ...HEADERS,
      "Content-Type": "text/plain; charset=utf-8",
      ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
    },
  });
}

/** An export, for whoever has its ticket: a browser that follows a link brings no session token along. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { http } = context;
  http.logged.route = "/app/settings/data/export";
  // To look at a ticket would use it up.
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { ...HEADERS, Allow: "GET" } });
  const closed = await checkExhausted(failedAuthenticationCharge(http));
  if (closed) return refusal(closed.refusal);
  const mark = http.target.indexOf("?");
  const query = new URLSearchParams(mark < 0 ? "" : http.target.slice(mark));
  const exported = await redeemTicket(query.get("ticket") ?? "");
  if (exported instanceof Failure) {
    await chargeRequest([failedAuthenticationCharge(http)]);
    return refusal(exported);
  }
  const { body, type, fileName } = exported;
  return new Response(body, {
    headers: { ...HEADERS, "Content-Type": type, "Content-Disposition": `attachment; filename="${fileName}"` },
  });
}
