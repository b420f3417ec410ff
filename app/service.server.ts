/**
 * What the server process takes from the build. It must not import these modules again by itself: the build has its own copies, and a
 * second copy would be a second pool, a second set of limits and a second log.
 */
import { watchKeyStates } from "./access/index.server.ts";
import { dropActivity, onDeliveriesCreated, startOutboxProcessor } from "./activity/index.server.ts";
import { keepPeriodStats } from "./analytics/index.server.ts";
import { failureResponse } from "./http/answer.server.ts";
import { BODY_LIMIT, FORM_BODY_LIMIT, tooLarge } from "./http/body.server.ts";
import { clientAddress } from "./http/client-address.server.ts";
import { startLimits } from "./http/limits.server.ts";
import { notFound } from "./http/resource.server.ts";
import { dropOldAnswers } from "./http/idempotency.server.ts";
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
import {
  AUDIT_DAYS,
  catalogSync,
  dropAudit,
  listShops,
  privacyTask,
  productRefresh,
  readSettings,
  shopRefresh,
  storeEvent,
  tendPrivacyRequests,
} from "./shops/index.server.ts";
import { dropDeliveries, startDeliveries, wakeDeliveries } from "./webhooks/index.server.ts";
import { dropTickets, importTask, purgeGuests, tendImports } from "./wishlists/index.server.ts";

const DAY_MS = 24 * 3_600_000;

/** Drops by age what nobody will ask for any more. */
async function retire({ activityRetentionDays, webhookRetentionDays }: Env): Promise<void> {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  for (const { id } of await listShops()) {
    await dropActivity(id, before(activityRetentionDays));
    await dropDeliveries(id, before(webhookRetentionDays));
    await dropOldAnswers(id, before(1));
    await tendPrivacyRequests(id);
    await dropAudit(id, before(AUDIT_DAYS));
    const { guestRetentionDays } = await readSettings(id);
    await purgeGuests(id, before(guestRetentionDays));
    await dropTickets(id);
    await tendImports(id);
  }
}

/** What follows from changes, and what is done at fixed times. */
function startWork(env: Env): void {
  startOutboxProcessor();
  startDeliveries();
  onDeliveriesCreated(wakeDeliveries);
  startJobs(
    [
      { name: "period-stats", cron: "7 * * * *", work: keepPeriodStats },
      { name: "retention", cron: "23 2 * * *", work: () => retire(env) },
    ],
    [shopRefresh, catalogSync, productRefresh, storeEvent, privacyTask, importTask],
  );
}

/** @param defaults settings that the process's environment leaves open */
async function start(defaults: Readonly<Record<string, string>>): Promise<Env> {
  const env = provideEnv(defaults);
  onShutdown("database", closeDatabase);
  if (env.shopify) connectShopify();
  await startLimits();
  await watchKeyStates();
  if (env.role !== "web") startWork(env);
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
  notFound,
  BODY_LIMIT,
  FORM_BODY_LIMIT,
  tooLarge,
};

export type Service = typeof service;
