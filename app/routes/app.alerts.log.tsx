import { useLoaderData } from "@remix-run/react";
import { AlertLogPage } from "../admin/customer-alerts/alert-log-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { alertLogQuery, listAlerts } from "../alerts/index.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";

export const loader = adminLoader(async (request) => {
  const { shop, query } = request;
  const filters = alertLogQuery.parse(Object.fromEntries(query));
  const page = await listAlerts(shop.id, filters);
  const names = await customerNames(
    customerAccessOf(request),
    page.alerts.map(({ customerId }) => customerId),
  );
  return { ...page, names, filters, currency: shop.currency };
});

export default function AlertLog() {
  return <AlertLogPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
