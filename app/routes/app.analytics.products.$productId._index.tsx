import { useLoaderData } from "@remix-run/react";
import { ProductPage } from "../admin/analytics/product-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { priceDropDemand } from "../alerts/index.server.ts";
import { hasFeature } from "../billing/index.server.ts";
import { productFindings, productIdIn, rangeOf, spanOf } from "../analytics/index.server.ts";
import { adminHeaders, adminLoader, notFound } from "../http/admin/loader.server.ts";
import { customersOfProduct, productIdSchema } from "../wishlists/index.server.ts";

export const loader = adminLoader(async ({ shop, params, query }) => {
  const span = spanOf(query);
  const range = await rangeOf(shop.id, span);
  const productId = productIdSchema.safeParse(productIdIn(params["productId"] ?? ""));
  const found = productId.success ? await productFindings(shop.id, productId.data, range) : undefined;
  if (!found) throw notFound();
  const demand = hasFeature(shop.plan, "alerts") ? await priceDropDemand(shop.id, found.product.productId) : undefined;
  const { customers, guests, more } = await customersOfProduct(shop.id, found.product.productId, {
    limit: 0,
    offset: 0,
  });
  return {
    span,
    people: { customers, guests, more },
    today: range.today,
    problem: range.problem,
    currency: shop.currency,
    demand,
    ...found,
  };
});

export default function Product() {
  return <ProductPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
