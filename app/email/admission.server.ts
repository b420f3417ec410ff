import { alertKindSchema, type AlertKind } from "../alerts/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { batched } from "../platform/database/batch.server.ts";
import { prisma, run, statement } from "../platform/database/database.server.ts";
import { seal, unseal } from "../platform/encryption/crypto.server.ts";
import type { SealedColumn } from "../platform/encryption/sealed-columns.server.ts";
import { purge } from "../platform/jobs/retention.server.ts";

export const SUPPRESSION_PURPOSE = "email_suppression.address";

/** Addresses are sealed, so that a copy of the database does not tell them, and keys can be replaced. */
export const SEALED_ADDRESSES: SealedColumn = {
  holds: "suppressed email addresses",
  table: "email_suppression",
  column: "address_sealed",
  byShop: true,
  key: { customer_id: "text" },
  purpose: () => SUPPRESSION_PURPOSE,
};

/** Suppresses an address. @param error what the mail server responded */
export async function suppress(shopId: number, customerId: string, address: string, error: string): Promise<void> {
  const facts = { addressSealed: seal(address, SUPPRESSION_PURPOSE), at: now(), error };
  await prisma().emailSuppression.upsert({
    where: { shopId_customerId: { shopId, customerId } },
    create: { shopId, customerId, ...facts },
    update: facts,
  });
}

interface Admission {
  kinds: string[] | null;
  suppressed: string | null;
  admitted: boolean;
}

const admitStatement = statement<Admission & { ordinal: number }>(
  "email_admit_each",
  `SELECT ordinal, kinds, suppressed, admitted
     FROM email_admit_each(p_shop_id => $1, p_customer_ids => $2, p_kinds => $3, p_alerted_at => $4, p_limits => $5, p_not_suppressed => $6,
                           p_batch_ids => $7::uuid[], p_delivery_ids => $8)`,
);

interface AdmissionCall extends Candidate {
  shopId: number;
  /** a suppressed address of the customer's that is not the candidate's */
  notSuppressed: string | null;
}

/** Messages of a shop that are about to be sent at the same time share a statement, because its commit costs more than the check of a message. */
const call = batched<AdmissionCall, Admission>(
  async (calls) => {
    const rows = await run(admitStatement, [
      calls[0]?.shopId,
      calls.map(({ customerId }) => customerId),
      calls.map(({ kinds }) => kinds.join()),
      calls.map(({ alertedAt }) => alertedAt),
      calls.map(({ limit }) => limit),
      calls.map(({ notSuppressed }) => notSuppressed),
      calls.map(({ batchId }) => batchId),
      calls.map(({ deliveryIds }) => deliveryIds.join()),
    ]);
    return rows.toSorted((one, other) => one.ordinal - other.ordinal);
  },
  { concurrency: 1, size: 100, group: ({ shopId }) => shopId },
);

/** A message that is about to be sent. */
interface Candidate {
  customerId: string;
  address: string;
  /** of its alerts, as far as the shop emails them */
  kinds: readonly AlertKind[];
  alertedAt: Date;
  /** the most messages within seven days */
  limit: number;
  /** of its Message-ID */
  batchId: string;
  deliveryIds: readonly string[];
}

/**
 * Decides at the last moment whether a message may be sent, and counts it if so.
 * @returns the kinds that the customer wants now, or why nothing is sent
 */
export async function admit(
  shopId: number,
  candidate: Candidate,
): Promise<AlertKind[] | "not_wanted" | "suppressed" | "limit_reached"> {
  let found = await call({ ...candidate, shopId, notSuppressed: null });
  if (found.suppressed !== null) {
    if (unseal(found.suppressed, SUPPRESSION_PURPOSE) === candidate.address) return "suppressed";
    // The customer has another address since.
    found = await call({ ...candidate, shopId, notSuppressed: found.suppressed });
  }
  if (found.kinds === null) return "not_wanted";
  return found.admitted ? alertKindSchema.array().parse(found.kinds) : "limit_reached";
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
