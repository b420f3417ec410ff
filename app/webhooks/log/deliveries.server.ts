import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../../platform/clock.server.ts";
import { Failure } from "../../platform/failure.ts";
import { DEFAULT_LIST } from "../../wishlists/index.server.ts";
import { lockEndpoint, makeDue, toWebhook, updateWebhook, type Webhook } from "../subscriptions/endpoints.server.ts";
import type { EndpointReference } from "../delivery/endpoint-key.ts";
import { recordOf, type Event } from "../events/events.ts";
import type { TestContext } from "../events/record.ts";
import { fromDeliveryId } from "../ids.ts";
import { PRIORITY } from "../delivery/priority.ts";
import { eventSchema } from "../subscriptions/schemas.ts";
import { toDelivery, type Delivery } from "./log.server.ts";
import { SCHEDULE_DAYS } from "./retention.server.ts";

/** Deliveries per redelivery in bulk. */
const BATCH = 500;

/** Returns a new id that sorts by the time of its creation, and that time by PostgreSQL's clock, which the queue uses. */
async function newId(tx: Prisma.TransactionClient): Promise<{ id: string; at: Date }> {
  const [created] = await tx.$queryRaw<{ id: string; at: Date }[]>`SELECT uuid_v7() AS id, clock_timestamp() AS at`;
  if (!created) throw new Error("uuid_v7() returned no row");
  return created;
}

/** Creates a delivery that is due now. The endpoint must be locked. */
async function queue(
  tx: Prisma.TransactionClient,
  delivery: { shopId: number; endpointId: string; eventId: string; event: string; kind: "test" | "redelivery" },
): Promise<Delivery> {
  const { id, at } = await newId(tx);
  const row = await tx.webhookDelivery.create({
    data: {
      ...delivery,
      id,
      priority: PRIORITY[delivery.kind],
      status: "pending",
      createdAt: at,
      nextAttemptAt: at,
    },
  });
  await makeDue(tx, delivery.shopId, delivery.endpointId);
  return toDelivery(row, []);
}

/** The fields of an event's data that are columns of its row. */
const columnsSchema = z
  .object({
    customerId: z.string().nullable().default(null),
    productId: z.string().nullable().default(null),
    variantId: z.string().nullable().default(null),
    listId: z.string().nullable().default(null),
    itemCount: z.int().nullable().default(null),
  })
  .catchall(z.json());

/** Returns the columns of a made-up event. */
function testColumns(event: Event, context: TestContext) {
  const { listId, customerId, productId, variantId, itemCount, ...data } = columnsSchema.parse(
    recordOf(event).test(context),
  );
  return { customerId, productId, variantId, itemCount, listId: listId === DEFAULT_LIST ? null : listId, data };
}

/** Creates a made-up event and its delivery. @param requested by default the first event of the webhook */
export async function testWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  reference: EndpointReference,
  requested: Event | undefined,
): Promise<Delivery | Failure> {
  const endpoint = await lockEndpoint(tx, shopId, reference);
  if (endpoint instanceof Failure) return endpoint;
  const { id: eventId } = await newId(tx);
  const event = eventSchema.parse(requested ?? toWebhook(endpoint).events[0]);
  const at = now();
  const { domain, storePath } = await tx.shop.findUniqueOrThrow({ where: { id: shopId } });
  const columns = testColumns(event, { at: at.toISOString(), store: `https://${domain}${storePath}` });
  await tx.webhookEvent.create({ data: { shopId, id: eventId, event, at, ...columns } });
  return queue(tx, { shopId, endpointId: endpoint.id, eventId, event, kind: "test" });
}

/** Creates another delivery of the same event, with the same message id, whatever the outcome of the first one. */
export async function redeliver(
  tx: Prisma.TransactionClient,
  shopId: number,
  reference: EndpointReference,
  deliveryId: string,
): Promise<Delivery | Failure> {
  const endpoint = await lockEndpoint(tx, shopId, reference);
  if (endpoint instanceof Failure) return endpoint;
  const notFound = new Failure("webhook_not_found", "The webhook has no delivery with this id.");
  const id = fromDeliveryId(deliveryId);
  if (id === undefined) return notFound;
  const first = await tx.webhookDelivery.findFirst({ where: { shopId, id, endpointId: endpoint.id } });
  if (!first) return notFound;
  const { eventId, event } = first;
  // Events are purged by their age, so an event can be purged before its last delivery.
  if (!(await tx.webhookEvent.findUnique({ where: { shopId_id: { shopId, id: eventId } } }))) return notFound;
  await tx.webhookDelivery.updateMany({ where: { shopId, id }, data: { redeliveredAt: now() } });
  return queue(tx, { shopId, endpointId: endpoint.id, eventId, event, kind: "redelivery" });
}

/**
 * Creates a delivery of each event whose delivery has failed since a moment and was not redelivered yet, oldest first and at most `BATCH`. They wait
 * while the endpoint backs off and are sent after events. Tests are left out.
 * @returns the number of new deliveries, and whether there are more
 */
export async function redeliverFailed(
  tx: Prisma.TransactionClient,
  shopId: number,
  reference: EndpointReference,
  since: Date,
): Promise<{ queued: number; more: boolean } | Failure> {
  const endpoint = await lockEndpoint(tx, shopId, reference);
  if (endpoint instanceof Failure) return endpoint;
  const [batch] = await tx.$queryRaw<{ taken: number; queued: number }[]>`
    SELECT taken, queued FROM webhook_redeliver_failed(
      p_shop_id => ${shopId}::bigint, p_endpoint => ${endpoint.id}, p_since => ${since}, p_limit => ${BATCH},
      p_priority => ${PRIORITY.bulkRedelivery}::smallint)`;
  const { taken = 0, queued = 0 } = batch ?? {};
  if (queued > 0) await makeDue(tx, shopId, endpoint.id, { duringBackoff: false });
  return { queued, more: taken > BATCH };
}

/**
 * Enables a webhook and creates a delivery of each event that failed in the outage that disabled it, at most `BATCH`.
 * Earlier events keep the previous configuration: process the shop's outbox before the transaction.
 */
export async function recoverWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  reference: EndpointReference,
): Promise<{ webhook: Webhook; redelivered: { queued: number; more: boolean } } | Failure> {
  const before = await lockEndpoint(tx, shopId, reference);
  if (before instanceof Failure) return before;
  const outage = before.failingSince ?? before.disabledAt ?? now();
  // A delivery that failed for good in the outage may have been created before it.
  const since = new Date(outage.getTime() - SCHEDULE_DAYS * 24 * 3_600_000);
  const webhook = await updateWebhook(tx, shopId, reference, { enabled: true });
  if (webhook instanceof Failure) return webhook;
  const redelivered = await redeliverFailed(tx, shopId, reference, since);
  return redelivered instanceof Failure ? redelivered : { webhook, redelivered };
}
