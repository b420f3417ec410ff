import type { Prisma, WebhookAttempt, WebhookDelivery } from "@prisma/client";
import type { z } from "zod";
import { prisma } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { countThatFits } from "../../platform/text/page-size.ts";
import { findEndpoint } from "../subscriptions/endpoints.server.ts";
import { DELIVERY_KINDS, DELIVERY_STATUSES } from "../delivery/kinds.ts";
import { EVENTS } from "../events/events.ts";
import { fromDeliveryId, toDeliveryId, toMessageId } from "../ids.ts";
import { deliverySchema, type deliveriesQuery, type deliveriesSchema } from "../subscriptions/schemas.ts";
import type { DeliveryFilter } from "../subscriptions/views.ts";

export type Delivery = z.infer<typeof deliverySchema>;

const storedFacts = deliverySchema.pick({ event: true, kind: true, status: true }).strip();

/** Returns a delivery without its attempts. */
export function deliveryFacts(row: WebhookDelivery): Omit<Delivery, "attempts"> {
  return {
    deliveryId: toDeliveryId(row.id),
    messageId: toMessageId(row.eventId),
    ...storedFacts.parse(row),
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}

export function toDelivery(row: WebhookDelivery, attempts: readonly WebhookAttempt[]): Delivery {
  return {
    ...deliveryFacts(row),
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

/** A page of deliveries: the ones just before or just after a given delivery; without either, the newest ones. */
export interface DeliveryRange {
  limit: number;
  offset?: number;
  /** the UUID of a delivery, like `after` */
  before?: string | undefined;
  after?: string | undefined;
}

const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Returns a page of matching deliveries, newest first. For each matching combination of status, event and kind, at most a page of rows is read
 * in index order, so that a filter with few matches is as fast as any other.
 */
export async function findDeliveries(
  tx: Prisma.TransactionClient,
  { shopId, endpointId }: { shopId: number; endpointId: string },
  { status, event, kind }: DeliveryFilter,
  { limit, offset = 0, before = LAST, after }: DeliveryRange,
): Promise<WebhookDelivery[]> {
  const statuses = status === undefined ? DELIVERY_STATUSES : [status];
  const events = event === undefined ? EVENTS : [event];
  const kinds = kind === undefined ? DELIVERY_KINDS : [kind];
  const most = limit + offset;
  const found =
    after === undefined
      ? await tx.$queryRaw<{ id: string }[]>`
          SELECT f.id FROM unnest(${statuses}::text[]) AS s (status), unnest(${events}::text[]) AS e (event), unnest(${kinds}::text[]) AS k (kind),
                 LATERAL (SELECT id FROM webhook_delivery
                           WHERE shop_id = ${shopId} AND endpoint_id = ${endpointId} AND status = s.status AND event = e.event AND kind = k.kind
                             AND id < ${before}::uuid
                           ORDER BY id DESC LIMIT ${most}) AS f
           ORDER BY f.id DESC LIMIT ${limit} OFFSET ${offset}`
      : await tx.$queryRaw<{ id: string }[]>`
          SELECT f.id FROM unnest(${statuses}::text[]) AS s (status), unnest(${events}::text[]) AS e (event), unnest(${kinds}::text[]) AS k (kind),
                 LATERAL (SELECT id FROM webhook_delivery
                           WHERE shop_id = ${shopId} AND endpoint_id = ${endpointId} AND status = s.status AND event = e.event AND kind = k.kind
                             AND id > ${after}::uuid
                           ORDER BY id LIMIT ${most}) AS f
           ORDER BY f.id LIMIT ${limit} OFFSET ${offset}`;
  if (found.length === 0) return [];
  return tx.webhookDelivery.findMany({
    where: { shopId, id: { in: found.map(({ id }) => id) } },
    orderBy: { id: "desc" },
  });
}

function sizeOf(delivery: Delivery): number {
  return Buffer.byteLength(JSON.stringify(delivery));
}

/** Returns a page of the delivery log of /v1, newest first. */
export async function listDeliveries(
  shopId: number,
  webhookId: string,
  { limit, offset, before, status }: z.output<typeof deliveriesQuery>,
): Promise<z.infer<typeof deliveriesSchema> | Failure> {
  return prisma().$transaction(
    async (tx) => {
      const endpoint = await findEndpoint(tx, shopId, webhookId);
      if (endpoint instanceof Failure) return endpoint;
      const rows = await findDeliveries(
        tx,
        { shopId, endpointId: webhookId },
        { status },
        { limit: limit + 1, offset, before: before === undefined ? undefined : fromDeliveryId(before) },
      );
      const page = rows.slice(0, limit);
      const attempts = await tx.webhookAttempt.findMany({
        where: { shopId, deliveryId: { in: page.map(({ id }) => id) } },
        orderBy: { number: "asc" },
      });
      const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
      const deliveries = page.map((row) => toDelivery(row, byDelivery.get(row.id) ?? []));
      const count = countThatFits(deliveries.map(sizeOf));
      return { deliveries: deliveries.slice(0, count), count, has_more: rows.length > count };
    },
    // One snapshot, so that deliveries and their attempts agree.
    { isolationLevel: "RepeatableRead" },
  );
}
