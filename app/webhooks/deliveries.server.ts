import type { Prisma, WebhookAttempt, WebhookDelivery } from "@prisma/client";
import type { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { findEndpoint, lockEndpoint, makeDue } from "./endpoints.server.ts";
import { fromDeliveryId, toDeliveryId, toMessageId } from "./ids.ts";
import { deliverySchema, eventSchema, type deliveriesQuery, type deliveriesSchema, type Event } from "./schemas.ts";

type Delivery = z.infer<typeof deliverySchema>;

const kinds = deliverySchema.pick({ event: true, kind: true, status: true }).strip();

function toDelivery(row: WebhookDelivery, attempts: readonly WebhookAttempt[]): Delivery {
  return {
    deliveryId: toDeliveryId(row.id),
    messageId: toMessageId(row.eventId),
    ...kinds.parse(row),
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    attempts: attempts.map(({ number, at, durationMs, status, error, response }) => ({
      number,
      at: at.toISOString(),
      durationMs,
      status,
      error,
      response,
    })),
  };
}

/** Newest first. */
export async function listDeliveries(
  shopId: number,
  webhookId: string,
  { limit, offset, status }: z.output<typeof deliveriesQuery>,
): Promise<z.infer<typeof deliveriesSchema> | Failure> {
  return prisma().$transaction(
    async (tx) => {
      const endpoint = await findEndpoint(tx, shopId, webhookId);
      if (endpoint instanceof Failure) return endpoint;
      const rows = await tx.webhookDelivery.findMany({
        where: { shopId, endpointId: webhookId, ...(status === undefined ? {} : { status }) },
        orderBy: { id: "desc" },
        skip: offset,
        take: limit + 1,
      });
      const page = rows.slice(0, limit);
      const attempts = await tx.webhookAttempt.findMany({
        where: { shopId, deliveryId: { in: page.map(({ id }) => id) } },
        orderBy: { number: "asc" },
      });
      const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
      return {
        deliveries: page.map((row) => toDelivery(row, byDelivery.get(row.id) ?? [])),
        count: page.length,
        has_more: rows.length > limit,
      };
    },
    // A delivery and its attempts are of one moment.
    { isolationLevel: "RepeatableRead" },
  );
}

/** An id that sorts by the time of its making, and that time by the clock of the queue. */
async function orderedId(tx: Prisma.TransactionClient): Promise<{ id: string; at: Date }> {
  const [made] = await tx.$queryRaw<{ id: string; at: Date }[]>`SELECT ordered_id() AS id, clock_timestamp() AS at`;
  if (!made) throw new Error("ordered_id() yielded no row");
  return made;
}

/** Makes a delivery that is due at once. The endpoint must be locked. */
async function queue(
  tx: Prisma.TransactionClient,
  delivery: { shopId: number; endpointId: string; eventId: string; event: string; kind: "test" | "redelivery" },
): Promise<Delivery> {
  const { id, at } = await orderedId(tx);
  const row = await tx.webhookDelivery.create({
    data: { ...delivery, id, status: "pending", createdAt: at, nextAttemptAt: at },
  });
  await makeDue(tx, delivery.shopId, delivery.endpointId);
  return toDelivery(row, []);
}

/** What a test tells of: nothing of it exists. */
const TEST_ITEM = { productId: "test-product", variantId: "test-variant" };
const TEST_SHARE = { shareLinkId: null, itemCount: 1 };

/** Makes an event up and a delivery of it. @param wanted left out: the first that the webhook asks for */
export async function testWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
  wanted: Event | undefined,
): Promise<Delivery | Failure> {
  const endpoint = await lockEndpoint(tx, shopId, webhookId);
  if (endpoint instanceof Failure) return endpoint;
  const { id: eventId } = await orderedId(tx);
  const event = eventSchema.parse(wanted ?? endpoint.events[0]);
  const subject = event === "wishlist.shared" ? TEST_SHARE : TEST_ITEM;
  await tx.webhookEvent.create({
    data: { shopId, id: eventId, event, at: now(), customerId: "test-customer", ...subject },
  });
  return queue(tx, { shopId, endpointId: webhookId, eventId, event, kind: "test" });
}

/** Another delivery of the same event, with the same message id, whatever became of the first one. */
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
  // Events are dropped by their own age, so that one may be gone before its last delivery is.
  if (!(await tx.webhookEvent.findUnique({ where: { shopId_id: { shopId, id: eventId } } }))) return notFound;
  return queue(tx, { shopId, endpointId: webhookId, eventId, event, kind: "redelivery" });
}
