import { useLoaderData } from "@remix-run/react";
import { AnalyticsPage } from "../admin/analytics/analytics-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { dashboard, spanOf } from "../analytics/index.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";

/** Maximum rows of a list on this page. The full lists have separate pages. */
const PREVIEW_ROWS = 10;

export const loader = adminLoader(async ({ shop, query }) => {
  const span = spanOf(query);
  return { span, currency: shop.currency, maxRows: PREVIEW_ROWS, ...(await dashboard(shop, span, PREVIEW_ROWS)) };
});

export default function Analytics() {
  return <AnalyticsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
