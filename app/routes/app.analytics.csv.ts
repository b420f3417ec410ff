import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportTable } from "../analytics/index.server.ts";
import { Failure, FAILURE_STATUS } from "../platform/failure.ts";
import { asSent, authenticate } from "../shopify.server.ts";
import { findShop } from "../shops/index.server.ts";

/** The tables of the analytics pages as files. The pages fetch them, with the merchant's session token. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  context.http.logged.route = "/app/analytics/csv";
  const sent = asSent(request, context.http.target);
  const { session } = await authenticate.admin(sent);
  const shop = await findShop(session.shop);
  if (!shop) throw new Error("a session of a shop that there is not");
  context.http.logged.shop = shop.domain;
  const file = await exportTable(shop, new URL(sent.url).searchParams);
  const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  if (file instanceof Failure) return new Response(file.message, { status: FAILURE_STATUS[file.code], headers });
  return new Response(file.text, {
    headers: {
      ...headers,
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
    },
  });
}
