import { now } from "../platform/clock.server.ts";
import { statement } from "../platform/database/database.server.ts";
import { deleteInBatches } from "../platform/jobs/retention.server.ts";
import { CONFIRMATION_DAYS } from "./confirmation.server.ts";

/** Days after its alert for which a request is kept, because an order counts as its outcome. */
const ALERTED_DAYS = 30;
/** Days for which a request waits. */
const WAITING_DAYS = 365;

const purgeStatement = statement<{ gone: number }>(
  "contact_purge",
  "SELECT contact_purge(p_shop_id => $1, p_unconfirmed => $2, p_alerted => $3, p_created => $4, p_limit => $5) AS gone",
);

/** Purges requests that have served their purpose, and the contacts that have no other. */
export async function purgeRequests(shopId: number): Promise<void> {
  const before = (days: number): Date => new Date(now().getTime() - days * 86_400_000);
  await deleteInBatches(purgeStatement, [
    shopId,
    before(CONFIRMATION_DAYS),
    before(ALERTED_DAYS),
    before(WAITING_DAYS),
  ]);
}
