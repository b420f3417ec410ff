import type { LoaderFunctionArgs } from "@remix-run/node";
import { asSent, authenticate } from "../shopify.server.ts";
import { findShop, readRecord } from "../shops/index.server.ts";

/** What is kept about a customer, for the merchant to hand on. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  context.http.logged.route = "/app/privacy/{requestId}";
  const sent = asSent(request, context.http.target);
  const { session } = await authenticate.admin(sent);
  const shop = await findShop(session.shop);
  // From the path as it was sent: Remix's own router is given one without parameters.
  const id = new URL(sent.url).pathname.split("/").at(-1) ?? "";
  const record = shop && (await readRecord(shop.id, id));
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
