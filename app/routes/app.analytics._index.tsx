import { useLoaderData } from "@remix-run/react";
import { AnalyticsPage } from "../admin/analytics/analytics-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { dashboard, spanOf } from "../analytics/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import { adminAction } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm } from "../http/admin/permission.server.ts";
import { hasScope } from "../http/admin/session.server.ts";

/** Maximum rows of a list on this page. The full lists have separate pages. */
const PREVIEW_ROWS = 10;

export const loader = adminLoader(async (request) => {
  const { shop, query } = request;
  const span = spanOf(query);
  const found = await dashboard(shop, span, PREVIEW_ROWS);
  return {
    span,
    currency: shop.currency,
    maxRows: PREVIEW_ROWS,
    readsOrders: hasScope(request, OPTIONAL_SCOPES.orders),
    ordersReported: shop.ordersReportedSince !== null,
    ...found,
  };
});

export const action = adminAction({ permission: permissionForm });

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Analytics() {
  return <AnalyticsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
