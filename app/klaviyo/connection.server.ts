import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { seal, unseal } from "../platform/encryption/crypto.server.ts";
import type { SealedColumn } from "../platform/encryption/sealed-columns.server.ts";
import { Failure } from "../platform/failure.ts";
import { KLAVIYO, readChannelEvents, subscribeChannel, updateWebhook } from "../webhooks/index.server.ts";
import { callKlaviyo } from "./api.server.ts";
import { KLAVIYO_METRICS, klaviyoEventSchema, type KlaviyoEvent } from "./events.ts";
import type { KlaviyoConnection } from "./views.ts";

const TOOL = "klaviyo";
const PURPOSE = "marketing_connection.key";

export const SEALED_KLAVIYO_KEYS: SealedColumn = {
  holds: "keys of marketing tools",
  table: "marketing_connection",
  column: "key_sealed",
  byShop: true,
  key: { tool: "text" },
  purpose: () => PURPOSE,
};

const where = (shopId: number) => ({ shopId_tool: { shopId, tool: TOOL } });

/** Returns the account that a shop has connected. */
export async function readKlaviyoConnection(shopId: number): Promise<KlaviyoConnection | undefined> {
  const row = await prisma().marketingConnection.findUnique({ where: where(shopId) });
  if (!row) return undefined;
  const { accountId, accountName, connectedAt, refusal } = row;
  return { accountId, accountName, connectedAt: connectedAt.toISOString(), refusal };
}

/** Returns the events that a shop sends to Klaviyo; undefined before its first connection. */
async function readKlaviyoEvents(tx: Prisma.TransactionClient, shopId: number): Promise<KlaviyoEvent[] | undefined> {
  const events = await readChannelEvents(tx, shopId, KLAVIYO);
  return events && klaviyoEventSchema.array().parse(events);
}

/** The key of a shop with the row that it came from. */
export interface KlaviyoKey {
  key: string;
  sealed: string;
}

/** Returns the key of a shop's account. */
export async function readKlaviyoKey(shopId: number): Promise<KlaviyoKey | undefined> {
  const row = await prisma().marketingConnection.findUnique({ where: where(shopId), select: { keySealed: true } });
  return row ? { key: unseal(row.keySealed, PURPOSE), sealed: row.keySealed } : undefined;
}

const accountsSchema = z.object({
  data: z
    .array(
      z.object({
        id: z.string().min(1).max(64),
        attributes: z.object({ contact_information: z.object({ organization_name: z.string().max(255) }) }),
      }),
    )
    .length(1),
});

interface Account {
  id: string;
  name: string;
}

/** Returns the account of a private key, or why Klaviyo does not say it. */
export async function checkKlaviyoKey(key: string): Promise<Account | Failure> {
  const { status, text } = await callKlaviyo(key, "/api/accounts");
  const refuse = (message: string) => new Failure("invalid_request", message, { details: { field: "key" } });
  if (status === 401) return refuse("Klaviyo doesn't know this key. Copy the private key again.");
  if (status === 403)
    return refuse("The key may not read the account. Create one with the scopes accounts:read and events:write.");
  const parsed = status === 200 && text !== null ? accountsSchema.safeParse(parseJson(text)) : undefined;
  const account = parsed?.data?.data[0];
  if (!account) return refuse("Klaviyo couldn't check the key now. Try again in a minute.");
  return { id: account.id, name: account.attributes.contact_information.organization_name };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Connects an account in place of an earlier one. What waited because the earlier key was refused is sent. */
export async function connectKlaviyo(
  tx: Prisma.TransactionClient,
  shopId: number,
  key: string,
  { id, name }: Account,
): Promise<void> {
  const facts = {
    keySealed: seal(key, PURPOSE),
    accountId: id,
    accountName: name,
    connectedAt: now(),
    refusedAt: null,
    refusal: null,
  };
  await tx.marketingConnection.upsert({
    where: where(shopId),
    create: { shopId, tool: TOOL, ...facts },
    update: facts,
  });
  const chosen = await readKlaviyoEvents(tx, shopId);
  const byDefault = KLAVIYO_METRICS.filter(({ isDefault }) => isDefault).map(({ event }) => event);
  await subscribeChannel(tx, shopId, KLAVIYO, chosen === undefined || chosen.length === 0 ? byDefault : chosen);
}

/** Deletes the key. Nothing more is sent. */
export async function disconnectKlaviyo(tx: Prisma.TransactionClient, shopId: number): Promise<void> {
  await tx.marketingConnection.deleteMany({ where: { shopId, tool: TOOL } });
  await subscribeChannel(tx, shopId, KLAVIYO, []);
}

/** Chooses the events that are sent from now on. @returns them with the number of events before, or `invalid_request` without a connection that works */
export async function saveKlaviyoEvents(
  tx: Prisma.TransactionClient,
  shopId: number,
  events: readonly KlaviyoEvent[],
): Promise<{ events: readonly KlaviyoEvent[]; before: number } | Failure> {
  const connection = await tx.marketingConnection.findUnique({ where: where(shopId), select: { refusedAt: true } });
  if (!connection) return new Failure("invalid_request", "Klaviyo was disconnected elsewhere. Connect it again.");
  if (connection.refusedAt !== null)
    return new Failure("invalid_request", "Klaviyo refuses the key. Connect with another key first.");
  const before = await readKlaviyoEvents(tx, shopId);
  await subscribeChannel(tx, shopId, KLAVIYO, events);
  return { events, before: before?.length ?? 0 };
}

/** Turns the channel off because Klaviyo refuses its key, unless staff have connected another one since. */
export async function refuseKlaviyoKey(shopId: number, sealed: string, refusal: string): Promise<void> {
  await transaction(shopId, async (tx) => {
    const { count } = await tx.marketingConnection.updateMany({
      where: { shopId, tool: TOOL, keySealed: sealed, refusedAt: null },
      data: { refusedAt: now(), refusal },
    });
    if (count > 0) await updateWebhook(tx, shopId, KLAVIYO, { enabled: false });
  });
}
