import { downloadAlerts } from "../alerts/index.server.ts";
import { adminResource } from "../http/admin/resource.server.ts";

/** Downloads the alerts that the log's filters find, or those of one moment, as CSV. */
export const loader = adminResource("/app/alerts/log/csv", ({ shop, query }) => {
  const { name, body } = downloadAlerts(shop, query);
  const headers = {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
  };
  return Promise.resolve(new Response(body, { headers }));
});
