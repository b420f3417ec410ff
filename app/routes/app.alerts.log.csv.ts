import { downloadAlerts } from "../alerts/index.server.ts";
import { audit } from "../audit/index.server.ts";
import { adminResource, csvDownload } from "../http/admin/resource.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";

/** Downloads the alerts that the log's filters find, or those of one moment, as CSV, and writes the audit entry. */
export const loader = adminResource("/app/alerts/log/csv", async (request) => {
  const { shop, query } = request;
  // Before the file, which names customers and is sent while it is read.
  await transaction(shop.id, (tx) => audit(tx, { ...actorOf(request), action: "data.alerts_exported" }));
  const { name, body } = downloadAlerts(shop, query);
  return csvDownload(name, body);
});
