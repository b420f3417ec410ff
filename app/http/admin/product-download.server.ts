import type { demandCsv } from "../../analytics/index.server.ts";
import { audit } from "../../audit/index.server.ts";
import { transaction } from "../../platform/database/transaction.server.ts";
import { productIdSchema } from "../../wishlists/index.server.ts";
import { adminResource, csvDownload } from "./resource.server.ts";
import { actorOf, type AdminSession } from "./session.server.ts";

/**
 * Creates the `loader` of a download about the product that the query names, which writes the audit entry.
 * @param path route name in the log
 * @param make returns undefined for an unknown product
 */
export function productDownload(
  path: string,
  action: "data.customers_exported" | "data.demand_exported",
  make: (session: AdminSession, productId: string) => ReturnType<typeof demandCsv>,
) {
  return adminResource(path, async (request) => {
    const { data: productId } = productIdSchema.safeParse(request.query.get("product"));
    const made = productId === undefined ? undefined : await make(request, productId);
    if (productId === undefined || !made) return new Response("There is no such product.", { status: 404 });
    const { file, title: name, count } = made;
    await transaction(request.shop.id, (tx) =>
      audit(tx, { ...actorOf(request), action, subject: productId, details: { name, count } }),
    );
    return csvDownload(file.name, file.text);
  });
}
