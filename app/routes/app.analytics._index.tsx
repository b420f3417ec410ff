import { useLoaderData } from "@remix-run/react";
import { AnalyticsPage } from "../admin/analytics/analytics-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { dashboard, spanOf } from "../analytics/index.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/admin.server.ts";

/** Rows of the lists on this page, which have pages of their own. */
const SHORT = 10;

export const loader = adminLoader(async ({ shop, query }) => {
  const span = spanOf(query);
  return { span, currency: shop.currency, listed: SHORT, ...(await dashboard(shop, span, SHORT)) };
});

export default function Analytics() {
  return <AnalyticsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
