import { productCustomersCsv } from "../analytics/index.server.ts";
import { audit } from "../audit/index.server.ts";
import { actorOf, customerAccessOf } from "../http/admin/session.server.ts";
import { adminResource } from "../http/admin/resource.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { productIdSchema } from "../wishlists/index.server.ts";

/** Downloads the customers who have a product in a list as CSV, and writes the audit entry. */
export const loader = adminResource("/app/analytics/customers", async (request) => {
  const productId = productIdSchema.safeParse(request.query.get("product"));
  const made = productId.success
    ? await productCustomersCsv(request.shop, customerAccessOf(request), productId.data)
    : undefined;
  if (!made) return new Response("There is no such product.", { status: 404 });
  const { file, title: name, count } = made;
  await transaction(request.shop.id, (tx) =>
    audit(tx, {
      ...actorOf(request),
      action: "data.customers_exported",
      subject: productId.data ?? "",
      details: { name, count },
    }),
  );
  return new Response(file.text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
    },
  });
});
