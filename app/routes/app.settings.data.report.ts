import { adminResource } from "../http/admin/resource.server.ts";
import { problemReport } from "../wishlists/index.server.ts";

/** Downloads the problems that the dry run found in a file, by line, as CSV. */
export const loader = adminResource("/app/settings/data/report", async ({ shop, query }) => {
  return new Response(await problemReport(shop.id, query.get("import") ?? ""), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="import-problems.csv"`,
    },
  });
});
