import { useLoaderData } from "@remix-run/react";
import { AlertLogPage } from "../admin/customer-alerts/alert-log-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { alertLogQuery, listMoments } from "../alerts/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { hasScope } from "../http/admin/session.server.ts";
import { now } from "../platform/clock.server.ts";

export const loader = adminLoader(async (request) => {
  const { shop, query } = request;
  const { before, after, ...filters } = alertLogQuery(query);
  return {
    ...(await listMoments(shop.id, { ...filters, before, after })),
    filters,
    today: new Intl.DateTimeFormat("en-CA", { timeZone: shop.timeZone, dateStyle: "short" }).format(now()),
    isFirst: before === undefined && after === undefined,
    currency: shop.currency,
    readsOrders: hasScope(request, OPTIONAL_SCOPES.orders),
  };
});

export default function AlertLog() {
  return <AlertLogPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
