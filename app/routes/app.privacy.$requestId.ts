import { adminResource } from "../http/admin/admin.server.ts";
import { readRecord } from "../privacy/index.server.ts";

/** The file of what is kept about a customer, for the merchant to pass on. */
export const loader = adminResource("/app/privacy/{requestId}", async ({ shop, staff, request }) => {
  // From the path as it was sent: Remix's own router is given one without parameters.
  const id = new URL(request.url).pathname.split("/").at(-1) ?? "";
  const record = await readRecord(shop, id, staff);
  if (!record) return new Response("There is no such record.", { status: 404 });
  return new Response(record.text, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="${record.fileName}"`,
    },
  });
});
