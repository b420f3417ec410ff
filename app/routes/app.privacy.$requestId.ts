import { adminResource } from "../http/admin/resource.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { readRecord } from "../privacy/index.server.ts";

/** Downloads the record of a customer's data, which the merchant sends to the customer. */
export const loader = adminResource("/app/privacy/{requestId}", async ({ shop, staff, request }) => {
  // The fast path calls this loader without Remix's router, so `params` is empty.
  const id = new URL(request.url).pathname.split("/").at(-1) ?? "";
  const record = await transaction(shop.id, (tx) => readRecord(tx, shop, id, staff));
  if (!record) return new Response("There is no such record.", { status: 404 });
  return new Response(record.text, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="${record.fileName}"`,
    },
  });
});
