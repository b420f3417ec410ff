import { useLoaderData } from "@remix-run/react";
import { MomentPage } from "../admin/customer-alerts/moment-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { listMomentAlerts, momentQuery, readMoment, toMomentId } from "../alerts/index.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { adminHeaders, adminLoader, notFound } from "../http/admin/loader.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";

export const loader = adminLoader(async (request) => {
  const { shop, query, params } = request;
  const id = toMomentId(params["momentId"]);
  const found = id === undefined ? undefined : await readMoment(shop.id, id);
  if (!found) throw notFound();
  const { moment, occurrences } = found;
  const { before, after, ...filters } = momentQuery(query);
  const of = { occurrences, hasRevenue: moment.revenue !== null };
  const page = await listMomentAlerts(shop.id, of, { status: filters.status, before, after });
  const names = await customerNames(
    customerAccessOf(request),
    page.alerts.map(({ customerId }) => customerId),
  );
  return { moment, ...page, names, filters, currency: shop.currency };
});

export default function Moment() {
  return <MomentPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
