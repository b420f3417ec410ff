/**
 * The parts of the build that the server process uses. It must not import these modules itself: the build contains copies of them, and a
 * second copy would have a second connection pool, separate rate limits and a separate log.
 */
import { watchKeyStates } from "./access/index.server.ts";
import { onDeliveriesCreated, purgeActivity, startOutboxProcessor } from "./activity/index.server.ts";
import { updatePeriodStats } from "./analytics/index.server.ts";
import { failureResponse } from "./http/response.server.ts";
import { BODY_LIMIT, FORM_BODY_LIMIT, payloadTooLarge } from "./http/body.server.ts";
import { clientAddress } from "./http/client-address.server.ts";
import { startRateLimits } from "./http/rate-limits.server.ts";
import { notFoundResponse } from "./http/resource.server.ts";
import { purgeIdempotentResponses } from "./http/idempotency.server.ts";
import { now } from "./platform/clock.server.ts";
import { closeDatabase } from "./platform/database.server.ts";
import { provideEnv, type Env } from "./platform/env.server.ts";
import { Failure } from "./platform/failure.ts";
import { requestId } from "./platform/ids.server.ts";
import { startJobs } from "./platform/jobs.server.ts";
import { beginStopping, isStopping, onShutdown, stopAll } from "./platform/lifecycle.server.ts";
import { flushLog, log } from "./platform/log.server.ts";
import { startListening } from "./platform/notifications.server.ts";
import { connectShopify } from "./shopify.server.ts";
import { AUDIT_DAYS, purgeAudit } from "./audit/index.server.ts";
import { catalogSync, productRefresh } from "./catalog/index.server.ts";
import { listShops } from "./shops/index.server.ts";
import { privacyTask, runPrivacyMaintenance } from "./privacy/index.server.ts";
import { readSettings } from "./settings/index.server.ts";
import { shopRefresh } from "./billing/index.server.ts";
import { storeEvent } from "./store-events/index.server.ts";
import { purgeDeliveries, startDeliveries, wakeDeliveries } from "./webhooks/index.server.ts";
import { purgeExportTickets, importTask, purgeGuests, runImportMaintenance } from "./wishlists/index.server.ts";

const DAY_MS = 24 * 3_600_000;

/** Purges expired data of all shops, and runs the shops' maintenance. */
async function runRetention({ activityRetentionDays, webhookRetentionDays }: Env): Promise<void> {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  for (const { id } of await listShops()) {
    await purgeActivity(id, before(activityRetentionDays));
    await purgeDeliveries(id, before(webhookRetentionDays));
    await purgeIdempotentResponses(id, before(1));
    await runPrivacyMaintenance(id);
    await purgeAudit(id, before(AUDIT_DAYS));
    const { guestRetentionDays } = await readSettings(id);
    await purgeGuests(id, before(guestRetentionDays));
    await purgeExportTickets(id);
    await runImportMaintenance(id);
  }
}

/** Starts the outbox processor, webhook deliveries, jobs and tasks. */
function startBackgroundWork(env: Env): void {
  startOutboxProcessor();
  startDeliveries();
  onDeliveriesCreated(wakeDeliveries);
  startJobs(
    [
      { name: "period-stats", cron: "7 * * * *", work: updatePeriodStats },
      { name: "retention", cron: "23 2 * * *", work: () => runRetention(env) },
    ],
    [shopRefresh, catalogSync, productRefresh, storeEvent, privacyTask, importTask],
  );
}

/** @param defaults for settings that the environment does not set */
async function start(defaults: Readonly<Record<string, string>>): Promise<Env> {
  const env = provideEnv(defaults);
  onShutdown("database", closeDatabase);
  if (env.shopify) connectShopify();
  await startRateLimits();
  await watchKeyStates();
  if (env.role !== "web") startBackgroundWork(env);
  await startListening();
  return env;
}

export const service = {
  start,
  beginStopping,
  isStopping,
  stopAll,
  log,
  flushLog,
  requestId,
  clientAddress,
  Failure,
  failureResponse,
  notFoundResponse,
  BODY_LIMIT,
  FORM_BODY_LIMIT,
  payloadTooLarge,
};

export type Service = typeof service;
