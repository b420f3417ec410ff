import { LRUCache } from "lru-cache";
import { z } from "zod";
import { readRecipients } from "../customers/index.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { runOne, shopStatement, statement } from "../platform/database/database.server.ts";
import { log } from "../platform/log/log.server.ts";
import { sendTask, task } from "../platform/jobs/tasks.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import { contactAddress } from "./addresses.server.ts";

// A contact whose address belongs to a customer becomes that customer: when the customer visits the store, and when an order of the customer is read.

const joinStatement = statement<{ joined: boolean }>(
  "contact_join",
  "SELECT contact_join(p_shop_id => $1, p_hashes => $2, p_customer_id => $3, p_unconfirmed => $4) AS joined",
);

/**
 * Makes a contact with an address of a customer's the customer.
 * @param options.withUnconfirmed also what the owner of the address has not confirmed, to be erased or shown
 * @returns whether there was one
 */
export async function joinAddress(
  shopId: number,
  { customerId, email }: { customerId: string; email: string },
  { withUnconfirmed = false } = {},
): Promise<boolean> {
  const address = contactAddress(shopId, email);
  if (!address) return false;
  return (await runOne(joinStatement, [shopId, address.hashes, customerId, withUnconfirmed])).joined;
}

const anyStatement = shopStatement<{ any: boolean }>(
  "contact_any",
  "SELECT EXISTS (SELECT 1 FROM contact WHERE shop_id = $1) AS any",
);

/**
 * Joins contacts with customers, whose addresses are read from Shopify.
 * @returns whether there was one
 */
export async function joinCustomers(shopId: number, customerIds: readonly string[]): Promise<boolean> {
  if (customerIds.length === 0 || !(await runOne(anyStatement, [shopId])).any) return false;
  const shop = await findInstalled(shopId);
  if (!shop) return false;
  const found = await readRecipients(shop.domain, customerIds);
  let joined = false;
  for (const [customerId, { email }] of found) {
    if (email !== null && (await joinAddress(shopId, { customerId, email }))) joined = true;
  }
  return joined;
}

const workSchema = z.object({ shopId: z.int(), customerId: z.string() });

/** Joins a customer who has visited the store. */
export const contactJoin = task(
  "contact-join",
  workSchema,
  async ({ shopId, customerId }) => {
    await joinCustomers(shopId, [customerId]);
  },
  { exclusive: true, concurrency: 2 },
);

/** Milliseconds for which visits need not look whether a shop has contacts. */
const ANY_TTL = 60_000;

const hasContacts = new LRUCache<number, { any: boolean }>({
  max: 10_000,
  ttl: ANY_TTL,
  fetchMethod: (shopId) => runOne(anyStatement, [shopId]),
});

/** Milliseconds after which a customer's visit is looked at again. */
const VISIT_TTL = 3_600_000;
const visits = new LRUCache<string, number>({ max: 50_000, ttl: VISIT_TTL });

/** Notices the visit of a customer, who may be a contact. The request does not wait for it. */
export function noticeCustomer(shopId: number, customerId: string): void {
  const name = `${shopId} ${customerId}`;
  if (visits.has(name)) return;
  visits.set(name, nowMs());
  const enqueue = async (): Promise<void> => {
    if ((await hasContacts.fetch(shopId))?.any) await sendTask(contactJoin, { shopId, customerId }, { key: name });
    // Who asks later is found at the next visit.
    else visits.delete(name);
  };
  enqueue().catch((error: unknown) => {
    visits.delete(name);
    log.warn({ err: error, shopId }, "could not look for what a customer has asked for before the login");
  });
}
