import { productCustomersCsv } from "../analytics/index.server.ts";
import { productDownload } from "../http/admin/product-download.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";

/** Downloads the customers who have a product in a list as CSV. */
export const loader = productDownload("/app/analytics/customers", "data.customers_exported", (session, productId) =>
  productCustomersCsv(session.shop, customerAccessOf(session), productId),
);
