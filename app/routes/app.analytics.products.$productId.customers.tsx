import { useLoaderData } from "@remix-run/react";
import { ProductCustomersPage } from "../admin/analytics/product-customers-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { findProduct, productIdIn } from "../analytics/index.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { adminHeaders, adminLoader, notFound, pageNumber } from "../http/admin/loader.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";
import { customersOfProduct, productIdSchema } from "../wishlists/index.server.ts";

const PAGE_SIZE = 50;

export const loader = adminLoader(async (request) => {
  const { shop, params, query } = request;
  const productId = productIdSchema.safeParse(productIdIn(params["productId"] ?? ""));
  const product = productId.success ? await findProduct(shop.id, productId.data) : undefined;
  if (!product) throw notFound();
  const page = pageNumber(query);
  const of = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  const found = await customersOfProduct(shop.id, product.productId, of);
  const customers = found.listed.map(({ customerId }) => customerId);
  const names = await customerNames(customerAccessOf(request), customers);
  return { product, page, names, currency: shop.currency, ...found };
});

export default function ProductCustomers() {
  return <ProductCustomersPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
