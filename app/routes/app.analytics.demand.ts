import { demandCsv } from "../analytics/index.server.ts";
import { audit } from "../audit/index.server.ts";
import { hasFeature } from "../billing/index.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { adminResource } from "../http/admin/resource.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { productIdSchema } from "../wishlists/index.server.ts";

/** Downloads how many customers lower prices of a product would reach as CSV, and writes the audit entry. */
export const loader = adminResource("/app/analytics/demand", async (request) => {
  const productId = productIdSchema.safeParse(request.query.get("product"));
  const made =
    productId.success && hasFeature(request.shop.plan, "alerts")
      ? await demandCsv(request.shop, productId.data)
      : undefined;
  if (!made) return new Response("There is no such product.", { status: 404 });
  const { file, title: name, count } = made;
  await transaction(request.shop.id, (tx) =>
    audit(tx, {
      ...actorOf(request),
      action: "data.demand_exported",
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
