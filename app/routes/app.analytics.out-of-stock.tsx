import { useLoaderData } from "@remix-run/react";
import { OutOfStockPage } from "../admin/analytics/out-of-stock-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { LISTED, outOfStock } from "../analytics/index.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";

export const loader = adminLoader(async ({ shop }) => ({
  currency: shop.currency,
  wanted: await outOfStock(shop.id, LISTED),
}));

export default function OutOfStock() {
  return <OutOfStockPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
