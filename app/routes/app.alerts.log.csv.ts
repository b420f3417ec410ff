import { downloadAlerts } from "../alerts/index.server.ts";
import { adminResource, csvDownload } from "../http/admin/resource.server.ts";

/** Downloads the alerts that the log's filters find, or those of one moment, as CSV. */
export const loader = adminResource("/app/alerts/log/csv", ({ shop, query }) => {
  const { name, body } = downloadAlerts(shop, query);
  return Promise.resolve(csvDownload(name, body));
});
