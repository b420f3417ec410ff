import { openReminders, purgeAlerts } from "./alerts/index.server.ts";
import { cutTexts, purgeActivity } from "./activity/index.server.ts";
import { recordPeriodStats } from "./analytics/index.server.ts";
import { reconcileCatalog } from "./catalog/index.server.ts";
import { AUDIT_DAYS, purgeAudit } from "./audit/index.server.ts";
import { purgeRequests } from "./contacts/index.server.ts";
import { reconcileTaggings } from "./customers/index.server.ts";
import { purgeEmail } from "./email/index.server.ts";
import { purgeIdempotentResponses } from "./http/idempotency.server.ts";
import { reconcileAccess } from "./installation/index.server.ts";
import { ORDER_DAYS, purgeOrders, reconcileOrders } from "./orders/index.server.ts";
import { now } from "./platform/clock.server.ts";
import type { Env } from "./platform/process/env.server.ts";
import type { ShopJob } from "./platform/jobs/shop-jobs.server.ts";
import { runPrivacyMaintenance } from "./privacy/index.server.ts";
import { readSettings } from "./settings/index.server.ts";
import { purgeDeliveries } from "./webhooks/index.server.ts";
import {
  purgeDeletedLists,
  purgeExportTokens,
  purgeGuestOrigins,
  purgeGuests,
  runImportMaintenance,
  summarizeLists,
} from "./wishlists/index.server.ts";

const DAY_MS = 24 * 3_600_000;
const DAY_SECONDS = 24 * 3_600;
const HOUR_SECONDS = 3_600;
/** Days that a change of the catalog is kept: longer than it can matter to an alert. */
const CHANGE_DAYS = 30;

type Retention = Pick<Env, "activityRetentionDays" | "webhookRetentionDays">;

/** Purges a shop's expired data and runs its maintenance. */
export async function runRetention(
  shopId: number,
  { activityRetentionDays, webhookRetentionDays }: Retention,
): Promise<void> {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  await purgeActivity(shopId, before(activityRetentionDays));
  await cutTexts(shopId);
  await purgeAlerts(shopId, { alerts: before(activityRetentionDays), changes: before(CHANGE_DAYS) });
  await purgeOrders(shopId, before(ORDER_DAYS));
  await reconcileOrders(shopId);
  await reconcileTaggings(shopId);
  await purgeDeletedLists(shopId, before(activityRetentionDays));
  await purgeDeliveries(shopId, before(webhookRetentionDays));
  await purgeEmail(shopId);
  await purgeRequests(shopId);
  await purgeIdempotentResponses(shopId, before(1));
  await runPrivacyMaintenance(shopId);
  await purgeAudit(shopId, before(AUDIT_DAYS));
  const { guestRetentionDays } = await readSettings(shopId);
  await purgeGuests(shopId, before(guestRetentionDays));
  await purgeGuestOrigins(shopId, before(1));
  await purgeExportTokens(shopId);
  await runImportMaintenance(shopId);
}

/** Returns the jobs that run for each shop once a day. */
export function shopJobs(retention: Retention): ShopJob[] {
  return [
    // Soon after the shop's midnight, because the sums are compared with from then on.
    { name: "period-stats", day: "shop", spread: HOUR_SECONDS, run: recordPeriodStats },
    { name: "alert-reminders", day: "shop", spread: HOUR_SECONDS, run: openReminders },
    // Each reads a store's whole catalog, so the shops of one time zone have the night for it.
    { name: "catalog-reconciliation", day: "shop", spread: 6 * HOUR_SECONDS, run: reconcileCatalog },
    { name: "store-access", day: "shop", spread: 6 * HOUR_SECONDS, run: reconcileAccess },
    // Reads all items of a shop whose staff use the index of wishlists.
    { name: "list-summaries", day: "shop", spread: 6 * HOUR_SECONDS, run: summarizeLists },
    { name: "retention", day: "UTC", spread: DAY_SECONDS, run: (shopId) => runRetention(shopId, retention) },
  ];
}
