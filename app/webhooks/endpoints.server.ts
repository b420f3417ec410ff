import type { Prisma, WebhookEndpoint } from "@prisma/client";
import type { z } from "zod";
import { processOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { seal } from "../platform/crypto.server.ts";
import { prisma, shopTransaction } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { checkedId, isCheckedId } from "../platform/ids.server.ts";
import { wakeDeliveries } from "./delivery-loop.server.ts";
import { WEBHOOK_CAP, WEBHOOK_FAILURES } from "./failures.ts";
import {
  disabledReasonSchema,
  eventSchema,
  type createdWebhookSchema,
  type createWebhookBody,
  type rotatedSecretSchema,
  type updateWebhookBody,
  type webhookSchema,
} from "./schemas.ts";
import { SECRET_PURPOSE } from "./secrets.server.ts";
import { newSecret } from "./signature.server.ts";

const ID = { prefix: "whk_", length: 22 };
/** Milliseconds for which a secret goes on after its successor has been made. */
const OVERLAP = 24 * 3_600_000;

export type Webhook = z.infer<typeof webhookSchema>;

export function toWebhook(row: WebhookEndpoint): Webhook {
  return {
    webhookId: row.id,
    url: row.url,
    events: row.events.map((event) => eventSchema.parse(event)),
    createdAt: row.createdAt.toISOString(),
    enabled: row.disabledAt === null,
    disabledReason: disabledReasonSchema.nullable().parse(row.disabledReason),
    failingSince: row.failingSince?.toISOString() ?? null,
  };
}

/** One answer for an id that is unknown, that can't be one, and that is another shop's. */
function webhookNotFound(): Failure {
  return new Failure("webhook_not_found", WEBHOOK_FAILURES.webhook_not_found.message);
}

/** @returns `webhook_not_found` unless the shop has it */
export async function findEndpoint(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
): Promise<WebhookEndpoint | Failure> {
  if (!isCheckedId(webhookId, ID.prefix, ID.length)) return webhookNotFound();
  const row = await tx.webhookEndpoint.findUnique({ where: { shopId_id: { shopId, id: webhookId } } });
  return row ?? webhookNotFound();
}

/**
 * The same, held until the transaction's end: what follows from what was read still holds when it is written, and nothing is made for
 * an endpoint that is being deleted.
 */
export async function lockEndpoint(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
): Promise<WebhookEndpoint | Failure> {
  if (!isCheckedId(webhookId, ID.prefix, ID.length)) return webhookNotFound();
  await tx.$queryRaw`SELECT id FROM webhook_endpoint WHERE shop_id = ${shopId} AND id = ${webhookId} FOR NO KEY UPDATE`;
  return findEndpoint(tx, shopId, webhookId);
}

/**
 * Makes an endpoint due, because it has a new delivery. Call `wakeDeliveries` once the transaction is committed.
 * @param atOnce even while the endpoint backs off
 */
export async function makeDue(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
  { atOnce = true } = {},
): Promise<void> {
  await tx.$executeRaw`SELECT webhook_schedule(p_shop_id => ${shopId}, p_endpoints => ARRAY[${webhookId}], p_ignore_backoff => ${atOnce})`;
}

/**
 * Creates a webhook. Call processOutbox before, outside the transaction: otherwise the webhook would also receive earlier changes.
 * @returns `webhook_limit_reached` when the shop has `WEBHOOK_CAP`
 */
export async function createWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  { url, events }: z.output<typeof createWebhookBody>,
): Promise<z.infer<typeof createdWebhookSchema> | Failure> {
  // Two creations below the cap must not both pass: those of one shop take turns.
  await tx.$queryRaw`SELECT id AS shop_id FROM shop WHERE id = ${shopId} FOR NO KEY UPDATE`;
  if ((await tx.webhookEndpoint.count({ where: { shopId } })) >= WEBHOOK_CAP) {
    return new Failure("webhook_limit_reached", WEBHOOK_FAILURES.webhook_limit_reached.message);
  }
  const secret = newSecret();
  const row = await tx.webhookEndpoint.create({
    data: {
      shopId,
      id: checkedId(ID.prefix, ID.length),
      url,
      events,
      secretSealed: seal(secret, SECRET_PURPOSE),
      createdAt: now(),
    },
  });
  return { ...toWebhook(row), secret };
}

/** Oldest first, and never more than `WEBHOOK_CAP`. */
export async function endpointsOf(shopId: number): Promise<WebhookEndpoint[]> {
  return prisma().webhookEndpoint.findMany({
    where: { shopId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}

/** Oldest first. */
export async function listWebhooks(shopId: number): Promise<Webhook[]> {
  return (await endpointsOf(shopId)).map(toWebhook);
}

export async function getWebhook(shopId: number, webhookId: string): Promise<Webhook | Failure> {
  const row = await findEndpoint(prisma(), shopId, webhookId);
  return row instanceof Failure ? row : toWebhook(row);
}

/** Whatever made it wait is over. */
const AFRESH = { failures: 0, failingSince: null, backoffUntil: null };
const ENABLED = { disabledAt: null, disabledReason: null };

/** What belongs to a change is done in its transaction, such as to write down whose it was. */
export type Noted = (webhook: Webhook, tx: Prisma.TransactionClient) => Promise<void>;

/**
 * Another address is another receiver: what the old one did says nothing about it. So it begins anew, as one that is enabled does. Only its
 * owner's pause stays. What was answered before goes by what it was then.
 */
export async function updateWebhook(
  shopId: number,
  webhookId: string,
  { url, events, enabled }: z.output<typeof updateWebhookBody>,
  noted?: Noted,
): Promise<Webhook | Failure> {
  await processOutbox(shopId);
  const updated = await shopTransaction(shopId, async (tx) => {
    const before = await lockEndpoint(tx, shopId, webhookId);
    if (before instanceof Failure) return before;
    const afresh = enabled === true || (url !== undefined && url !== before.url);
    const enable = enabled === true || (afresh && before.disabledReason !== "paused");
    const row = await tx.webhookEndpoint.update({
      where: { shopId_id: { shopId, id: webhookId } },
      data: {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(afresh ? AFRESH : {}),
        ...(enable ? ENABLED : {}),
        ...(enabled === false ? { disabledAt: now(), disabledReason: "paused" } : {}),
      },
    });
    if (afresh) await makeDue(tx, shopId, webhookId);
    await noted?.(toWebhook(row), tx);
    return toWebhook(row);
  });
  if (!(updated instanceof Failure)) wakeDeliveries({ shopId, endpointIds: [webhookId] });
  return updated;
}

/** What it still had to deliver is never sent. */
export async function deleteWebhook(
  shopId: number,
  webhookId: string,
  noted?: Noted,
): Promise<{ deleted: true } | Failure> {
  return shopTransaction(shopId, async (tx) => {
    const row = await lockEndpoint(tx, shopId, webhookId);
    if (row instanceof Failure) return row;
    await tx.webhookEndpoint.delete({ where: { shopId_id: { shopId, id: webhookId } } });
    await noted?.(toWebhook(row), tx);
    return { deleted: true };
  });
}

/**
 * A new secret. The one before it signs beside it for `OVERLAP`; the one before that stops at once.
 * @param outer the caller's transaction, instead of one of its own
 */
export async function rotateSecret(
  shopId: number,
  webhookId: string,
  outer?: Prisma.TransactionClient,
  noted?: Noted,
): Promise<z.infer<typeof rotatedSecretSchema> | Failure> {
  const rotate = async (tx: Prisma.TransactionClient) => {
    const before = await lockEndpoint(tx, shopId, webhookId);
    if (before instanceof Failure) return before;
    const secret = newSecret();
    const until = new Date(now().getTime() + OVERLAP);
    await tx.webhookEndpoint.update({
      where: { shopId_id: { shopId, id: webhookId } },
      data: {
        secretSealed: seal(secret, SECRET_PURPOSE),
        oldSecretSealed: before.secretSealed,
        oldSecretUntil: until,
      },
    });
    await noted?.(toWebhook(before), tx);
    return { webhookId, secret, previousSecretValidUntil: until.toISOString() };
  };
  return outer ? rotate(outer) : shopTransaction(shopId, rotate);
}
