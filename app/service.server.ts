/**
 * The parts of the build that the server process uses. It must not import these modules itself: the build contains copies of them, and a
 * second copy would have a second connection pool, separate rate limits and a separate log.
 */
import { watchKeyStates } from "./access/index.server.ts";
import { endAlertPause, onAlertsSent, startAlerts, wakeAlerts } from "./alerts/index.server.ts";
import { onDeliveriesCreated, startOutboxProcessor } from "./activity/index.server.ts";
import { startChangeStreams } from "./changes/index.server.ts";
import { failureResponse } from "./http/response.server.ts";
import { BODY_LIMIT, FORM_BODY_LIMIT, payloadTooLarge } from "./http/body.server.ts";
import { countArrival, countRequest, METRICS_PATH, metricsResponse } from "./http/metrics.server.ts";
import { clientAddress } from "./http/client-address.server.ts";
import { endRequestSpan, startRequestSpan } from "./http/request-tracing.server.ts";
import { startRateLimits } from "./http/rate-limits.server.ts";
import { notFoundResponse } from "./http/surface.server.ts";
import { shopJobs } from "./maintenance.server.ts";
import { startClockCheck } from "./platform/process/clock-check.server.ts";
import { logConsole } from "./platform/log/console.server.ts";
import { measureDataFolder } from "./platform/metrics/data-folder.server.ts";
import { closeDatabase } from "./platform/database/database.server.ts";
import { provideEnv, secrets, type Env } from "./platform/process/env.server.ts";
import { Failure } from "./platform/failure.ts";
import { requestId } from "./platform/ids.server.ts";
import { startShopJobs } from "./platform/jobs/shop-jobs.server.ts";
import { startTasks } from "./platform/jobs/task-runner.server.ts";
import { beginStopping, isStopping, onShutdown, stopAll } from "./platform/process/lifecycle.server.ts";
import { flushLog, log } from "./platform/log/log.server.ts";
import { METRICS_TYPE, scrape, startMetrics } from "./platform/metrics/metrics.server.ts";
import { withinSpan } from "./platform/tracing/context.server.ts";
import { startTracing } from "./platform/tracing/tracing.server.ts";
import { runAs } from "./platform/database/work-class.server.ts";
import { startListening } from "./platform/database/notifications.server.ts";
import { connectShopify } from "./shopify.server.ts";
import { confirmation, contactJoin, joinCustomers, readAllRecipients } from "./contacts/index.server.ts";
import { customerTagging } from "./customers/index.server.ts";
import { closeMail, emailChannel, followMailServer } from "./email/index.server.ts";
import { flowChannel, onFlowDenied } from "./flow/index.server.ts";
import { klaviyoChannel } from "./klaviyo/index.server.ts";
import { catalogSync, onVariantsChanged, productRefresh } from "./catalog/index.server.ts";
import { beforeOrdersAreRead, onItemsBought, orderReading } from "./orders/index.server.ts";
import { accessRefresh, requestAccessRefreshOf } from "./installation/index.server.ts";
import { privacyTask } from "./privacy/index.server.ts";
import { shopRefresh } from "./billing/index.server.ts";
import { onTimeZoneChanged } from "./settings/index.server.ts";
import { storeEvent } from "./store-events/index.server.ts";
import { deliversForOthers, EMAIL, FLOW, KLAVIYO, startDeliveries, wakeDeliveries } from "./webhooks/index.server.ts";
import { importTask, summaryTask } from "./wishlists/index.server.ts";

/** Starts the outbox processor, webhook deliveries, tasks and the jobs of the shops. */
function startBackgroundWork(env: Env): void {
  startOutboxProcessor();
  startDeliveries(
    new Map([
      [FLOW.endpointId, flowChannel],
      [EMAIL.endpointId, emailChannel],
      [KLAVIYO.endpointId, klaviyoChannel],
    ]),
    readAllRecipients,
  );
  startAlerts(deliversForOthers);
  startTasks([
    accessRefresh,
    shopRefresh,
    catalogSync,
    productRefresh,
    orderReading,
    confirmation,
    contactJoin,
    customerTagging,
    storeEvent,
    privacyTask,
    importTask,
    summaryTask,
  ]);
  startShopJobs(shopJobs(env));
  runAs("background", followMailServer).catch((error: unknown) => {
    log.error({ err: error }, "could not turn the shops' emails on or off; the daily job of each shop does");
  });
}

/**
 * @param defaults for settings that the environment does not set
 * @param version of the service, for its metrics
 */
async function start(defaults: Readonly<Record<string, string>>, version: string): Promise<Env> {
  const env = provideEnv(defaults);
  await startTracing();
  if (env.metricsPort !== undefined || secrets().metricsToken !== undefined) startMetrics({ version, role: env.role });
  onShutdown("database", closeDatabase);
  onShutdown("mail", async () => closeMail());
  await startClockCheck();
  if (env.shopify) connectShopify();
  await startRateLimits();
  await watchKeyStates();
  onVariantsChanged(wakeAlerts);
  onTimeZoneChanged(endAlertPause);
  // In a web process as well, which processes a shop's outbox for its reports: the workers are told.
  onDeliveriesCreated(wakeDeliveries);
  onAlertsSent(wakeDeliveries);
  onItemsBought(wakeDeliveries);
  beforeOrdersAreRead(joinCustomers);
  onFlowDenied(requestAccessRefreshOf);
  if (env.role !== "worker") startChangeStreams();
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
  logConsole,
  flushLog,
  requestId,
  startRequestSpan,
  endRequestSpan,
  withinSpan,
  clientAddress,
  Failure,
  failureResponse,
  notFoundResponse,
  BODY_LIMIT,
  FORM_BODY_LIMIT,
  payloadTooLarge,
  countArrival,
  countRequest,
  METRICS_PATH,
  METRICS_TYPE,
  metricsResponse,
  measureDataFolder,
  scrape,
};

export type Service = typeof service;
