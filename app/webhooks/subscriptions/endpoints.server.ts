import type { Prisma, WebhookEndpoint } from "@prisma/client";
import type { z } from "zod";
import { serializeInShop } from "../../platform/database/advisory-locks.server.ts";
import { now } from "../../platform/clock.server.ts";
import { seal } from "../../platform/encryption/crypto.server.ts";
import { prisma, run, statement } from "../../platform/database/database.server.ts";
import { afterCommit } from "../../platform/database/transaction.server.ts";
import { Failure } from "../../platform/failure.ts";
import { checkedId, isCheckedId } from "../../platform/ids.server.ts";
import { type AlertKind, alertKindSchema } from "../../alerts/kinds.ts";
import { wakeDeliveries } from "../delivery/loop.server.ts";
import { type ChannelId, type ChannelReference, type EndpointReference, isChannel } from "../delivery/endpoint-key.ts";
import type { Event } from "../events/events.ts";
import { WEBHOOK_CAP, WEBHOOK_FAILURES } from "../failures.ts";
import { newSecret } from "../delivery/signature.server.ts";
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

const ID = { prefix: "whk_", length: 22 };
/** Milliseconds for which the previous secret still signs after a rotation. */
const OVERLAP = 24 * 3_600_000;

export type Webhook = z.infer<typeof webhookSchema>;

export function toWebhook(row: WebhookEndpoint): Webhook {
  return {
    webhookId: row.id,
    url: row.url,
    // A later release may have stored events that this one does not know.
    events: row.events.flatMap((event) => eventSchema.safeParse(event).data ?? []),
    batch: row.batch,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    enabled: row.disabledAt === null,
    disabledReason: disabledReasonSchema.nullable().parse(row.disabledReason),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
  };
}

/** Returns the same failure for an unknown id, a malformed id and another shop's id, so that ids cannot be probed. */
function webhookNotFound(): Failure {
  return new Failure("webhook_not_found", WEBHOOK_FAILURES.webhook_not_found.message);
}

/** Returns the id of the row, or undefined for a text that is no webhook's id. */
function rowIdOf(reference: EndpointReference): string | undefined {
  if (typeof reference !== "string") return reference.endpointId;
  return isCheckedId(reference, ID.prefix, ID.length) ? reference : undefined;
}

/** Reads an endpoint's row. @returns `webhook_not_found` unless the shop has it */
export async function findEndpoint(
  tx: Prisma.TransactionClient,
  shopId: number,
  reference: EndpointReference,
): Promise<WebhookEndpoint | Failure> {
  const id = rowIdOf(reference);
  if (id === undefined) return webhookNotFound();
  const row = await tx.webhookEndpoint.findUnique({ where: { shopId_id: { shopId, id } } });
  return row ?? webhookNotFound();
}

/**
 * Reads an endpoint's row and locks it until the end of the transaction, so that decisions based on the row still hold when they are written,
 * and no delivery is created for an endpoint that is being deleted.
 * @returns `webhook_not_found` unless the shop has it
 */
export async function lockEndpoint(
  tx: Prisma.TransactionClient,
  shopId: number,
  reference: EndpointReference,
): Promise<WebhookEndpoint | Failure> {
  const id = rowIdOf(reference);
  if (id === undefined) return webhookNotFound();
  await tx.$queryRaw`SELECT id FROM webhook_endpoint WHERE shop_id = ${shopId} AND id = ${id} FOR NO KEY UPDATE`;
  return findEndpoint(tx, shopId, reference);
}

/**
 * Makes an endpoint due, and wakes its delivery worker after the commit.
 * @param options.duringBackoff whether it is due even during the endpoint's back-off
 */
export async function makeDue(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
  { duringBackoff = true } = {},
): Promise<void> {
  await tx.$executeRaw`SELECT webhook_schedule(p_shop_id => ${shopId}, p_endpoints => ARRAY[${webhookId}], p_ignore_backoff => ${duringBackoff})`;
  afterCommit(tx, () => {
    wakeDeliveries({ shopId, endpointIds: [webhookId] });
  });
}

/**
 * Creates a webhook. It would also receive earlier changes that the outbox still holds: process the shop's outbox before the transaction.
 * @returns `webhook_limit_reached` when the shop has `WEBHOOK_CAP`
 */
export async function createWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  { url, events, batch = false, name = null }: z.output<typeof createWebhookBody>,
): Promise<z.infer<typeof createdWebhookSchema> | Failure> {
  await serializeInShop(tx, shopId, "webhook_endpoint");
  if ((await tx.webhookEndpoint.count({ where: { shopId, id: { startsWith: ID.prefix } } })) >= WEBHOOK_CAP) {
    return new Failure("webhook_limit_reached", WEBHOOK_FAILURES.webhook_limit_reached.message);
  }
  const secret = newSecret();
  const row = await tx.webhookEndpoint.create({
    data: {
      shopId,
      id: checkedId(ID.prefix, ID.length),
      url,
      events,
      batch,
      name,
      secretSealed: seal(secret, SECRET_PURPOSE),
      createdAt: now(),
    },
  });
  return { ...toWebhook(row), secret };
}

/** Returns a shop's endpoints, oldest first: at most `WEBHOOK_CAP`, and the channels'. */
export async function endpointsOf(shopId: number): Promise<WebhookEndpoint[]> {
  return prisma().webhookEndpoint.findMany({
    where: { shopId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}

/** Returns a shop's webhooks, oldest first. */
export async function listWebhooks(shopId: number): Promise<Webhook[]> {
  const rows = await endpointsOf(shopId);
  return rows.filter(({ id }) => !isChannel(id)).map(toWebhook);
}

export async function getWebhook(shopId: number, webhookId: string): Promise<Webhook | Failure> {
  const row = await findEndpoint(prisma(), shopId, webhookId);
  return row instanceof Failure ? row : toWebhook(row);
}

const NO_FAILURES = { failures: 0, failingSince: null, backoffUntil: null };
const ENABLED = { disabledAt: null, disabledReason: null };

/**
 * Changes a webhook. Another URL, like enabling, resets its failures, because they say nothing about the new receiver; a pause by the owner stays.
 * Earlier events keep the previous configuration: process the shop's outbox before the transaction.
 * @returns `webhook_not_found` unless the shop has it
 */
export async function updateWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  reference: EndpointReference,
  { url, events, batch, name, enabled }: z.output<typeof updateWebhookBody>,
): Promise<Webhook | Failure> {
  const before = await lockEndpoint(tx, shopId, reference);
  if (before instanceof Failure) return before;
  const reset = enabled === true || (url !== undefined && url !== before.url);
  const enable = enabled === true || (reset && before.disabledReason !== "paused");
  const row = await tx.webhookEndpoint.update({
    where: { shopId_id: { shopId, id: before.id } },
    data: {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(batch === undefined ? {} : { batch }),
      ...(name === undefined ? {} : { name }),
      ...(reset ? NO_FAILURES : {}),
      ...(enable ? ENABLED : {}),
      ...(enabled === false ? { disabledAt: now(), disabledReason: "paused" } : {}),
    },
  });
  if (reset) await makeDue(tx, shopId, row.id);
  return toWebhook(row);
}

/**
 * Deletes a webhook with its pending deliveries.
 * @returns the webhook as it was, or `webhook_not_found`
 */
export async function deleteWebhook(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
): Promise<Webhook | Failure> {
  const row = await lockEndpoint(tx, shopId, webhookId);
  if (row instanceof Failure) return row;
  await tx.webhookEndpoint.delete({ where: { shopId_id: { shopId, id: webhookId } } });
  return toWebhook(row);
}

/**
 * Creates a new secret. The previous secret also signs for `OVERLAP`; the secret before it stops signing immediately.
 * @returns the webhook and its new secret, or `webhook_not_found`
 */
export async function rotateSecret(
  tx: Prisma.TransactionClient,
  shopId: number,
  webhookId: string,
): Promise<{ webhook: Webhook; rotated: z.infer<typeof rotatedSecretSchema> } | Failure> {
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
  return { webhook: toWebhook(before), rotated: { webhookId, secret, previousSecretValidUntil: until.toISOString() } };
}

/** Returns the events that a channel receives; undefined until it has been used. */
export async function readChannelEvents(
  tx: Prisma.TransactionClient,
  shopId: number,
  { endpointId }: ChannelReference,
): Promise<Event[] | undefined> {
  const row = await tx.webhookEndpoint.findUnique({ where: { shopId_id: { shopId, id: endpointId } } });
  return row ? toWebhook(row).events : undefined;
}

/**
 * Sets the events that a channel receives. Without any, nothing is sent to it. Events turn a channel on again that was turned off, because staff have
 * just changed what it sends.
 * @param keepsPause whether a channel that staff have paused stays paused, because the change is not theirs
 */
export async function subscribeChannel(
  tx: Prisma.TransactionClient,
  shopId: number,
  { endpointId: id, isBatch = false }: ChannelReference,
  events: readonly Event[],
  { keepsPause = false } = {},
): Promise<void> {
  await tx.webhookEndpoint.upsert({
    where: { shopId_id: { shopId, id } },
    // A channel needs no signature of ours, and its address is its own affair; the columns hold something of every row.
    create: {
      ...{ shopId, id, url: `${id}:`, events: [...events], batch: isBatch },
      ...{ secretSealed: seal(newSecret(), SECRET_PURPOSE), createdAt: now() },
    },
    update: { events: [...events] },
  });
  if (events.length === 0) return;
  const turnedOff = { disabledAt: { not: null }, ...(keepsPause && { disabledReason: { not: "paused" } }) };
  const where = { shopId, id, ...turnedOff };
  const { count } = await tx.webhookEndpoint.updateMany({ where, data: { ...ENABLED, ...NO_FAILURES } });
  if (count > 0) await makeDue(tx, shopId, id);
}

const receivedStatement = statement<{ id: string; kinds: string[] }>(
  "webhook_received_alerts",
  `SELECT id, array_agg(replace(event, 'wishlist.alert.', '')) AS kinds
     FROM webhook_endpoint, unnest(events) AS event
    WHERE shop_id = $1 AND disabled_at IS NULL AND event LIKE 'wishlist.alert.%'
    GROUP BY id`,
);

/** Returns the kinds of alerts to which each channel and the active webhooks of the shop subscribe. */
export async function readReceivedAlertKinds(shopId: number): Promise<Record<ChannelId | "webhooks", AlertKind[]>> {
  const received: Record<ChannelId | "webhooks", AlertKind[]> = { flow: [], email: [], klaviyo: [], webhooks: [] };
  for (const { id, kinds } of await run(receivedStatement, [shopId]))
    received[isChannel(id) ? id : "webhooks"].push(...alertKindSchema.array().parse(kinds));
  return received;
}
