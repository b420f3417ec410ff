import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { HistoryPage } from "../admin/wishlists/history-page.tsx";
import { adminHeaders, adminLoader, notFound } from "../http/admin/loader.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { viewHistory } from "../wishlists/index.server.ts";

/** Returns the version before which the page begins; undefined for the first page. */
function beforeIn(query: URLSearchParams): number | undefined {
  const text = query.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export const loader = adminLoader(async (request) => {
  const { shop, params, query } = request;
  const history = await viewHistory(shop.id, params["wishlistId"] ?? "", beforeIn(query));
  if (!history) throw notFound();
  const customers = history.owner.kind === "customer" ? [history.owner.customerId] : [];
  return { history, names: await customerNames(customerAccessOf(request), customers) };
});

export default function History() {
  return <HistoryPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
