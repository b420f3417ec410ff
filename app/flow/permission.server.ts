import type { FlowTrigger, Prisma } from "@prisma/client";
import { serializeInShop } from "../platform/database/advisory-locks.server.ts";
import { prisma, runOne, shopStatement } from "../platform/database/database.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { includesScope, OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import { FLOW, readChannelEvents, subscribeChannel, type Event } from "../webhooks/index.server.ts";
import { findTrigger, TRIGGERS, type Trigger } from "./triggers.ts";

// Every trigger names a customer, and Shopify Flow refuses those of an app that may not read customers. Without the permission nothing is sent to
// Flow, so that alerts count as not sent instead of being refused one by one.

/** Deliveries per transaction that end when the permission is withdrawn. */
const BATCH = 1_000;

/** Returns whether Flow accepts the customer of a trigger. @param scopes undefined while unknown: the first call shows it */
export function mayNameCustomers(scopes: readonly string[] | undefined): boolean {
  return scopes === undefined || includesScope(scopes, OPTIONAL_SCOPES.customers);
}

/** Returns the triggers in use. While a trigger is in use that the app can't name, that may be any whose own use was not reported since. */
function usedTriggers(reports: readonly FlowTrigger[]): Trigger[] {
  const byHandle = new Map(reports.map((report) => [report.handle, report]));
  const unnamed = reports.filter(({ handle, enabled }) => enabled && !findTrigger(handle));
  const since = Math.max(...unnamed.map(({ changedAt }) => changedAt.getTime()));
  return TRIGGERS.filter(({ handle }) => {
    const own = byHandle.get(handle);
    return own?.enabled === true || (own?.changedAt.getTime() ?? 0) < since;
  });
}

/** Returns the events whose triggers the shop's workflows use, in the order of the triggers. */
export async function readUsedEvents(client: Prisma.TransactionClient, shopId: number): Promise<Event[]> {
  const reports = await client.flowTrigger.findMany({ where: { shopId } });
  return usedTriggers(reports).map(({ event }) => event);
}

/** Returns the events for which the shop's workflows wait, whether the app may send them or not. */
export async function flowEventsInUse(shopId: number): Promise<Event[]> {
  return readUsedEvents(prisma(), shopId);
}

const withholdStatement = shopStatement<{ ended: number }>(
  "flow_withhold",
  "SELECT flow_withhold(p_shop_id => $1, p_limit => $2) AS ended",
);

/** Sends Flow what its workflows use from now on, or ends what waits to be sent, as the scopes that the shop grants now demand. */
export async function followScopes(shopId: number, scopes: readonly string[]): Promise<void> {
  const isPermitted = mayNameCustomers(scopes);
  await transaction(shopId, async (tx) => {
    await serializeInShop(tx, shopId, "flow_trigger");
    const subscribed = await readChannelEvents(tx, shopId, FLOW);
    if (subscribed === undefined) return;
    const wanted = isPermitted ? await readUsedEvents(tx, shopId) : [];
    // An unchanged subscription leaves a connection that was turned off as it is.
    if (wanted.length !== subscribed.length || wanted.some((event) => !subscribed.includes(event)))
      await subscribeChannel(tx, shopId, FLOW, wanted);
  });
  if (isPermitted) return;
  let ended: number;
  do ({ ended } = await runOne(withholdStatement, [shopId, BATCH]));
  while (ended === BATCH);
}
