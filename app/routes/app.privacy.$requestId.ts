import { z } from "zod";
import { adminResource } from "../http/admin/resource.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { RECORD_FORMATS, readRecord } from "../privacy/index.server.ts";

const formatSchema = z.enum(RECORD_FORMATS).catch("json");
const MEDIA_TYPES = { html: "text/html", json: "application/json" };

/** Downloads the record of a customer's data, which the merchant sends to the customer. */
export const loader = adminResource("/app/privacy/{requestId}", async ({ shop, staff, request }) => {
  // The fast path calls this loader without Remix's router, so `params` is empty.
  const { pathname, searchParams } = new URL(request.url);
  const id = pathname.split("/").at(-1) ?? "";
  const format = formatSchema.parse(searchParams.get("format"));
  const record = await transaction(shop.id, (tx) => readRecord(tx, shop, { id, format, staff }));
  if (!record) return new Response("There is no such record.", { status: 404 });
  return new Response(record.text, {
    headers: {
      "Content-Type": `${MEDIA_TYPES[format]}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${record.fileName}"`,
    },
  });
});
