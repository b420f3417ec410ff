import { useLoaderData } from "@remix-run/react";
import { TopProductsPage } from "../admin/analytics/top-products-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { LISTED, rankedProducts } from "../analytics/index.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";

export const loader = adminLoader(async ({ shop }) => ({ products: await rankedProducts(shop.id, LISTED) }));

export default function TopProducts() {
  return <TopProductsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
