import { alertFilters, exportAlerts, exportName, toMomentId } from "../alerts/index.server.ts";
import { adminResource } from "../http/admin/resource.server.ts";
import { download } from "../platform/download.server.ts";
import { log } from "../platform/log/log.server.ts";

/** A page's script reads the file, at the speed of the merchant's connection. */
const LIMITS = { least: 20 * 4_000, window: 20_000, deadline: 5 * 60_000 };

/** Downloads the alerts that the log's filters find, or those of one moment, as CSV. */
export const loader = adminResource("/app/alerts/log/csv", ({ shop, query }) => {
  const momentId = toMomentId(query.get("moment") ?? undefined);
  const pieces = exportAlerts(shop, alertFilters(query), { momentId });
  const body = download(pieces, LIMITS, (reason) => {
    if (reason !== undefined) log.warn({ shop: shop.domain, reason }, "an export of alerts was aborted");
  });
  return Promise.resolve(
    new Response(body, {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="${exportName(shop)}"`,
      },
    }),
  );
});
