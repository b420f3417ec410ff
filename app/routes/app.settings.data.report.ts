import { adminResource } from "../http/admin/admin.server.ts";
import { problemReport } from "../wishlists/index.server.ts";

/** What is wrong with a file that is to be imported, line by line, as CSV. */
export const loader = adminResource("/app/settings/data/report", async ({ shop, query }) => {
  return new Response(await problemReport(shop.id, query.get("import") ?? ""), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="import-problems.csv"`,
    },
  });
});
