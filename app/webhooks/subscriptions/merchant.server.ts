import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from "@prisma/client";
import type { z } from "zod";
import { prisma, run, statement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { deliveryFacts, findDeliveries } from "../log/log.server.ts";
import { FLOW_ENDPOINT, isChannel, type EndpointReference } from "../delivery/endpoint-key.ts";
import { WEBHOOK_CAP } from "../failures.ts";
import { fromDeliveryId, toBatchId, toMessageId } from "../ids.ts";
import { payload, type StoredEvent } from "../events/payload.server.ts";
import { isImmediate } from "../delivery/priority.ts";
import { FIXED_HEADERS, identityHeaders, identityOf } from "../delivery/request.ts";
import { endpointsOf, findEndpoint, toWebhook } from "./endpoints.server.ts";
import type { logFilter } from "./forms.ts";
import { backlogOf, healthOf, lastAttemptOf } from "./health.server.ts";
import type {
  AttemptDetails,
  DeliveryDetails,
  DeliveryLog,
  LoggedDelivery,
  MerchantWebhook,
  MonitoredWebhook,
  WebhookDetails,
  WebhookWithHealth,
} from "./views.ts";

// Reads webhooks for the merchant's pages, each with a fixed number of queries.

/** Deliveries on a page of the log. */
const PAGE = 50;

function toMerchantWebhook(row: WebhookEndpoint, at: Date): MerchantWebhook {
  const { backoffUntil, oldSecretUntil } = row;
  return {
    ...toWebhook(row),
    backoffUntil: backoffUntil !== null && backoffUntil > at ? backoffUntil.toISOString() : null,
    previousSecretValidUntil: oldSecretUntil !== null && oldSecretUntil > at ? oldSecretUntil.toISOString() : null,
  };
}

/** Adds the last attempt to each webhook that fails or that the service has disabled. */
async function withLastRequests<Row extends Omit<MonitoredWebhook, "lastAttempt">>(
  shopId: number,
  webhooks: readonly Row[],
): Promise<(Row & MonitoredWebhook)[]> {
  const troubled = webhooks.filter(({ failingSince }) => failingSince !== null);
  const lastAttempt = await lastAttemptOf(
    shopId,
    troubled.map(({ webhookId }) => webhookId),
  );
  return webhooks.map((webhook) => ({ ...webhook, lastAttempt: lastAttempt(webhook.webhookId) }));
}

/** Returns the state of all of a shop's webhooks and channels, oldest first. */
export async function monitorWebhooks(shopId: number): Promise<MonitoredWebhook[]> {
  return withLastRequests(shopId, (await endpointsOf(shopId)).map(toWebhook));
}

/** Returns all of a shop's webhooks with their health, oldest first, and Shopify Flow once a workflow has used a trigger. */
export async function readWebhooks(
  shopId: number,
  at: Date,
): Promise<{ webhooks: WebhookWithHealth[]; flow: WebhookWithHealth | undefined; cap: number }> {
  const rows = await endpointsOf(shopId);
  const ids = rows.map(({ id }) => id);
  const merchantWebhooks = rows.map((row) => toMerchantWebhook(row, at));
  const [health, webhooks] = await Promise.all([healthOf(shopId, ids), withLastRequests(shopId, merchantWebhooks)]);
  const endpoints = webhooks.map((one) => ({ ...one, health: health(one.webhookId) }));
  return {
    webhooks: endpoints.filter(({ webhookId }) => !isChannel(webhookId)),
    flow: endpoints.find(({ webhookId }) => webhookId === FLOW_ENDPOINT),
    cap: WEBHOOK_CAP,
  };
}

async function withLastAttempts(shopId: number, rows: readonly WebhookDelivery[]): Promise<LoggedDelivery[]> {
  // The number of a delivery's last attempt is the number of its attempts.
  const last = await prisma().webhookAttempt.findMany({
    where: { shopId, OR: rows.map(({ id, attempts }) => ({ deliveryId: id, number: attempts })) },
    select: { deliveryId: true, at: true, status: true, error: true, durationMs: true },
  });
  const byDelivery = new Map(
    last.map(({ deliveryId, at, ...more }) => [deliveryId, { ...more, at: at.toISOString() }]),
  );
  return rows.map((row) => ({
    ...deliveryFacts(row),
    immediate: isImmediate(row),
    attempts: row.attempts,
    last: byDelivery.get(row.id),
  }));
}

interface Endpoint {
  shopId: number;
  endpointId: string;
}

/** Returns a page of the log, newest first, that starts at the delivery named in the query, or at the newest delivery. */
async function readLog(of: Endpoint, { before, after, ...filter }: z.output<typeof logFilter>): Promise<DeliveryLog> {
  const [from, upTo] = [before, after].map((id) => (id === undefined ? undefined : fromDeliveryId(id)));
  let rows = await findDeliveries(prisma(), of, filter, { limit: PAGE + 1, before: from, after: upTo });
  let [hasNewer, hasOlder] = [from !== undefined, rows.length > PAGE];
  if (upTo !== undefined) {
    [hasNewer, hasOlder] = [rows.length > PAGE, true];
    // Read in ascending order, so the extra row is the newest.
    rows = rows.slice(-PAGE);
    if (!hasNewer) {
      rows = await findDeliveries(prisma(), of, filter, { limit: PAGE + 1 });
      hasOlder = rows.length > PAGE;
    }
  }
  const deliveries = await withLastAttempts(of.shopId, rows.slice(0, PAGE));
  return {
    deliveries,
    filter,
    newer: hasNewer ? deliveries[0]?.deliveryId : undefined,
    older: hasOlder ? deliveries.at(-1)?.deliveryId : undefined,
  };
}

/** Reads an endpoint with its health, backlog and log. @returns `webhook_not_found` unless the shop has it */
export async function readWebhook(
  shopId: number,
  reference: EndpointReference,
  query: z.output<typeof logFilter>,
  at: Date,
): Promise<WebhookDetails | Failure> {
  const row = await findEndpoint(prisma(), shopId, reference);
  if (row instanceof Failure) return row;
  const of = { shopId, endpointId: row.id };
  const [health, [webhook], backlog, log, tests] = await Promise.all([
    healthOf(shopId, [row.id]),
    withLastRequests(shopId, [toMerchantWebhook(row, at)]),
    backlogOf(shopId, row.id),
    readLog(of, query),
    findDeliveries(prisma(), of, { kind: "test" }, { limit: 1 }),
  ]);
  const [lastTest] = tests.length > 0 ? await withLastAttempts(shopId, tests) : [];
  if (!webhook) throw new Error("a webhook has no state");
  return { webhook: { ...webhook, health: health(row.id) }, backlog, log, lastTest };
}

const eventStatement = statement<StoredEvent>(
  "webhook_event_sent",
  `SELECT v.event, v.at, s.domain AS shop, s.store_path, v.customer_id, v.product_id, v.variant_id, v.list_id, v.item_count, v.share_link_id, v.data,
          l.token_sealed, l.expires_at
     FROM webhook_event v
     JOIN shop s ON s.id = v.shop_id
     LEFT JOIN share_link l ON l.shop_id = v.shop_id AND l.id = v.share_link_id
    WHERE v.shop_id = $1 AND v.id = $2`,
);

function toAttempt(attempt: WebhookAttempt, eventId: string): AttemptDetails {
  const { endpointId, number, at, durationMs, status, error, response, url, batchId } = attempt;
  // What a channel gets has none of these headers.
  const isCall = url === null || endpointId === null || isChannel(endpointId);
  const messageId = batchId === null ? toMessageId(eventId) : toBatchId(batchId);
  const headers = { ...FIXED_HEADERS, ...identityHeaders(identityOf(messageId, at)) };
  return {
    ...{ number, at: at.toISOString(), durationMs, status, error, response, batched: batchId !== null },
    request: isCall ? null : { url, headers },
  };
}

/** Reads a delivery with its attempts. @returns `webhook_not_found` unless the shop's webhook has it */
export async function readDelivery(
  shopId: number,
  reference: EndpointReference,
  deliveryId: string,
  at: Date,
): Promise<DeliveryDetails | Failure> {
  const endpoint = await findEndpoint(prisma(), shopId, reference);
  if (endpoint instanceof Failure) return endpoint;
  const id = fromDeliveryId(deliveryId);
  const row = id && (await prisma().webhookDelivery.findFirst({ where: { shopId, id, endpointId: endpoint.id } }));
  if (!row) return new Failure("webhook_not_found", "The webhook has no delivery with this id.");
  const [attempts, [event]] = await Promise.all([
    prisma().webhookAttempt.findMany({ where: { shopId, deliveryId: row.id }, orderBy: { number: "asc" } }),
    run(eventStatement, [shopId, row.eventId]),
  ]);
  return {
    webhook: toMerchantWebhook(endpoint, at),
    delivery: {
      ...deliveryFacts(row),
      immediate: isImmediate(row),
      attempts: attempts.map((attempt) => toAttempt(attempt, row.eventId)),
      redeliveredAt: row.redeliveredAt?.toISOString() ?? null,
    },
    // The customer and the product of a test are made up.
    subject:
      row.kind === "test"
        ? { customerId: null, productId: null }
        : { customerId: event?.customer_id ?? null, productId: event?.product_id ?? null },
    body: event && payload(event),
  };
}
