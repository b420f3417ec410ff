import { productCustomersCsv } from "../analytics/index.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";
import { adminResource } from "../http/admin/resource.server.ts";
import { productIdSchema } from "../wishlists/index.server.ts";

/** Downloads the customers who have a product in a list as CSV. */
export const loader = adminResource("/app/analytics/customers", async (request) => {
  const productId = productIdSchema.safeParse(request.query.get("product"));
  const file = productId.success
    ? await productCustomersCsv(request.shop, customerAccessOf(request), productId.data)
    : undefined;
  if (!file) return new Response("There is no such product.", { status: 404 });
  return new Response(file.text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
    },
  });
});
