import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { toDelivery, type Delivery } from "./delivery-log.server.ts";
import { lockEndpoint, makeDue } from "./endpoints.server.ts";
import type { Event } from "./events.ts";
import { fromDeliveryId } from "./ids.ts";
import { PRIORITY } from "./priority.ts";
import { eventSchema } from "./schemas.ts";

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
    data: { ...delivery, id, priority: PRIORITY[delivery.kind], status: "pending", createdAt: at, nextAttemptAt: at },
  });
  await makeDue(tx, delivery.shopId, delivery.endpointId);
  return toDelivery(row, []);
}

/** The made-up data of test events. */
const TEST_ITEM = { productId: "test-product", variantId: "test-variant" };
const TEST_SHARE = { shareLinkId: null, itemCount: 1 };

/** Creates a made-up event and its delivery. @param requested by default the first event of the webhook */
export async function testWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
  requested: Event | undefined,
): Promise<Delivery | Failure> {
  const endpoint = await lockEndpoint(tx, shopId, webhookId);
  if (endpoint instanceof Failure) return endpoint;
  const { id: eventId } = await newId(tx);
  const event = eventSchema.parse(requested ?? endpoint.events[0]);
  const subject = event === "wishlist.shared" ? TEST_SHARE : TEST_ITEM;
  await tx.webhookEvent.create({
    data: { shopId, id: eventId, event, at: now(), customerId: "test-customer", ...subject },
  });
  return queue(tx, { shopId, endpointId: webhookId, eventId, event, kind: "test" });
}

/** Creates another delivery of the same event, with the same message id, whatever the outcome of the first one. */
export async function redeliver(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery | Failure> {
  const endpoint = await lockEndpoint(tx, shopId, webhookId);
  if (endpoint instanceof Failure) return endpoint;
  const notFound = new Failure("webhook_not_found", "The webhook has no delivery with this id.");
  const id = fromDeliveryId(deliveryId);
  if (id === undefined) return notFound;
  const first = await tx.webhookDelivery.findFirst({ where: { shopId, id, endpointId: webhookId } });
  if (!first) return notFound;
  const { eventId, event } = first;
  // Events are purged by their age, so an event can be purged before its last delivery.
  if (!(await tx.webhookEvent.findUnique({ where: { shopId_id: { shopId, id: eventId } } }))) return notFound;
  await tx.webhookDelivery.updateMany({ where: { shopId, id }, data: { redeliveredAt: now() } });
  return queue(tx, { shopId, endpointId: webhookId, eventId, event, kind: "redelivery" });
}

/**
 * Creates a delivery of each event whose delivery has failed since a moment and was not redelivered yet, oldest first and at most `BATCH`. They wait
 * while the endpoint backs off and are sent after events. Tests are left out.
 * @returns the number of new deliveries, and whether there are more
 */
export async function redeliverFailed(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
  since: Date,
): Promise<{ queued: number; more: boolean } | Failure> {
  const endpoint = await lockEndpoint(tx, shopId, webhookId);
  if (endpoint instanceof Failure) return endpoint;
  const [batch] = await tx.$queryRaw<{ taken: number; queued: number }[]>`
    WITH failed AS MATERIALIZED (
      SELECT d.id, d.event_id, d.event FROM webhook_delivery d
       WHERE d.shop_id = ${shopId} AND d.endpoint_id = ${webhookId} AND d.status = 'failed' AND d.kind <> 'test' AND d.redelivered_at IS NULL
         AND d.id >= uuid_v7_min(${since})
         AND EXISTS (SELECT 1 FROM webhook_event v WHERE v.shop_id = ${shopId} AND v.id = d.event_id)
       ORDER BY d.id LIMIT ${BATCH + 1}
    ), taken AS MATERIALIZED (
      SELECT id, event_id, event FROM failed ORDER BY id LIMIT ${BATCH}
    ), marked AS (
      UPDATE webhook_delivery d SET redelivered_at = clock_timestamp() FROM taken t WHERE d.shop_id = ${shopId} AND d.id = t.id
    ), queued AS (
      INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
      SELECT ${shopId}, uuid_v7(), ${webhookId}, o.event_id, o.event, 'redelivery', ${PRIORITY.bulkRedelivery}, 'pending',
             clock_timestamp(), clock_timestamp()
        FROM (SELECT event_id, event, min(id::text) AS first FROM taken GROUP BY event_id, event ORDER BY first) AS o
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM failed)::integer AS taken, (SELECT count(*) FROM queued)::integer AS queued`;
  const { taken = 0, queued = 0 } = batch ?? {};
  if (queued > 0) await makeDue(tx, shopId, webhookId, { duringBackoff: false });
  return { queued, more: taken > BATCH };
}
