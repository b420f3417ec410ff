import { exportTable } from "../analytics/index.server.ts";
import { adminResource, csvDownload } from "../http/admin/resource.server.ts";
import { statusOf } from "../http/failure-registry.ts";
import { Failure } from "../platform/failure.ts";

/** Downloads a table of the analytics pages as CSV. */
export const loader = adminResource("/app/analytics/csv", async ({ shop, query }) => {
  const file = await exportTable(shop, query);
  if (file instanceof Failure) return new Response(file.message, { status: statusOf(file.code) });
  return csvDownload(file.name, file.text);
});
