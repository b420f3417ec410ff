import { run, shopStatement } from "../platform/database/database.server.ts";

/** The most requests that are returned. */
const LIMIT = 100;

// A shop has few requests: they are deleted 60 days after their completion.
const openStatement = shopStatement<{ dueAt: Date }>(
  "privacy_open_requests",
  `SELECT r.due_at AS "dueAt" FROM privacy_request r
    WHERE r.shop_id = $1 AND r.kind = 'data_request'
      AND NOT EXISTS (SELECT 1 FROM audit a
                       WHERE a.shop_id = $1 AND a.area = 'privacy' AND a.action = 'privacy.record_sent' AND a.subject = r.id)
    ORDER BY r.due_at LIMIT ${LIMIT}`,
);

/** Returns when the requests for a customer's data are due whose record staff have not sent yet, earliest first. */
export async function openDataRequests(shopId: number): Promise<Date[]> {
  return (await run(openStatement, [shopId])).map(({ dueAt }) => dueAt);
}
