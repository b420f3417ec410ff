import type { LoaderFunctionArgs } from "@remix-run/node";
import { asSent, authenticate } from "../shopify.server.ts";
import { findShop, readRecord } from "../shops/index.server.ts";

/** What is kept about a customer, for the merchant to hand on. */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  context.http.logged.route = "/app/privacy/{requestId}";
  const { session } = await authenticate.admin(asSent(request, context.http.target));
  const shop = await findShop(session.shop);
  const record = shop && (await readRecord(shop.id, params["requestId"] ?? ""));
  const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  if (record === undefined) return new Response("There is no such record.", { status: 404, headers });
  return new Response(record, {
    headers: {
      ...headers,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="customer-data.json"`,
    },
  });
}
