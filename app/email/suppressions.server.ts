import { now } from "../platform/clock.server.ts";
import { prisma, runOne, statement } from "../platform/database/database.server.ts";
import { seal, unseal } from "../platform/encryption/crypto.server.ts";
import type { SealedColumn } from "../platform/encryption/sealed-columns.server.ts";
import { purge } from "../platform/jobs/retention.server.ts";

const PURPOSE = "email_suppression.address";

/** Addresses are sealed, so that a copy of the database does not tell them, and keys can be replaced. */
export const SEALED_ADDRESSES: SealedColumn = {
  holds: "suppressed email addresses",
  table: "email_suppression",
  column: "address_sealed",
  byShop: true,
  key: { customer_id: "text" },
  purpose: () => PURPOSE,
};

/** Tells whether a mail server has refused this address of a customer for good. Another address of the customer is another matter. */
export async function isSuppressed(shopId: number, customerId: string, address: string): Promise<boolean> {
  const row = await prisma().emailSuppression.findUnique({ where: { shopId_customerId: { shopId, customerId } } });
  return row !== null && unseal(row.addressSealed, PURPOSE) === address;
}

/** Suppresses an address. @param error what the mail server responded */
export async function suppress(shopId: number, customerId: string, address: string, error: string): Promise<void> {
  const facts = { addressSealed: seal(address, PURPOSE), at: now(), error };
  await prisma().emailSuppression.upsert({
    where: { shopId_customerId: { shopId, customerId } },
    create: { shopId, customerId, ...facts },
    update: facts,
  });
}

const reserveStatement = statement<{ reserved: boolean }>(
  "email_reserve",
  "SELECT email_reserve(p_shop_id => $1, p_customer_id => $2, p_alerted_at => $3, p_limit => $4) AS reserved",
);

/**
 * Counts a message to a customer.
 * @returns false when the customer has had the most messages of a week
 */
export async function reserve(shopId: number, customerId: string, alertedAt: Date, limit: number): Promise<boolean> {
  return (await runOne(reserveStatement, [shopId, customerId, alertedAt, limit])).reserved;
}

const DAY_MS = 24 * 3_600_000;
/** Days that messages are counted: a day longer than the limit looks back. */
const MESSAGE_DAYS = 8;
/** Days after which an address that was refused is tried again. */
const SUPPRESSION_DAYS = 365;

const purgeMessages = purge("email_message", { key: "alerted_at", type: "timestamptz" });
const purgeSuppressions = purge("email_suppression", { key: "at", type: "timestamptz" });

/** Purges what a shop's limits no longer need, and suppressions of a year ago. */
export async function purgeEmail(shopId: number): Promise<void> {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  await purgeMessages(shopId, before(MESSAGE_DAYS));
  await purgeSuppressions(shopId, before(SUPPRESSION_DAYS));
}
