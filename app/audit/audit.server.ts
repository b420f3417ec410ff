import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma, run, statement } from "../platform/database/database.server.ts";
import { purge } from "../platform/jobs/retention.server.ts";
import {
  AUDIT_ACTIONS,
  AREAS,
  auditDetails,
  type AuditAction,
  type AuditDetails,
  type AuditEntry,
  type Staff,
} from "./actions.ts";

/** Retention of entries in days. */
export const AUDIT_DAYS = 365;
/** Entries on a page. */
const PAGE = 50;

/**
 * Writes an audit entry in the transaction of the change.
 * @param entry.staff undefined for a change by Shopify or by the command line
 * @param entry.operator for a change by the command line, the operating system's user who ran it
 * @param entry.subject id of the changed object; never a secret or a guest id
 * @param entry.customerId the customer whose data was changed; removed when the customer is erased
 */
export async function audit(
  tx: Prisma.TransactionClient,
  entry: {
    shopId: number;
    staff: Staff | undefined;
    operator?: string;
    action: AuditAction;
    subject?: string;
    customerId?: string | undefined;
    details?: AuditDetails;
  },
): Promise<void> {
  const { shopId, staff, operator, action, subject = null, customerId = null, details = {} } = entry;
  const [area] = action.split(".");
  await tx.$executeRaw`
    INSERT INTO audit (shop_id, id, at, area, action, subject, customer_id, details, staff_id, staff_name, staff_email, operator)
    VALUES (${shopId}, uuid_v7(), ${now()}, ${area}, ${action}, ${subject}, ${customerId},
            ${JSON.stringify(auditDetails.parse(details))}::jsonb, ${staff?.id}, ${staff?.name}, ${staff?.email}, ${operator})`;
}

const rowSchema = z.object({
  id: z.string(),
  at: z.date(),
  action: z.enum(AUDIT_ACTIONS),
  subject: z.string().nullable(),
  customerId: z.string().nullable(),
  details: auditDetails,
  staffId: z.string().nullable(),
  staffName: z.string().nullable(),
  staffEmail: z.string().nullable(),
  operator: z.string().nullable(),
});

function toEntry(row: unknown): AuditEntry {
  const { staffId, staffName, staffEmail, operator, ...entry } = rowSchema.parse(row);
  const staff =
    staffId === null ? undefined : { id: staffId, name: staffName ?? undefined, email: staffEmail ?? undefined };
  return { ...entry, staff, operator: operator ?? undefined };
}

/** Filters in the query of the audit page. Invalid filters are ignored. */
export const auditQuery = z.object({
  area: z.enum(AREAS).optional().catch(undefined),
  staff: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional()
    .catch(undefined),
  customer: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .catch(undefined),
  /** entries before or after this one */
  before: z.uuid().optional().catch(undefined),
  after: z.uuid().optional().catch(undefined),
});

export type AuditQuery = z.infer<typeof auditQuery>;

export interface AuditPage {
  /** newest first */
  entries: AuditEntry[];
  hasNewer: boolean;
  hasOlder: boolean;
}

/** Returns a page of entries, newest first. */
export async function listAudit(shopId: number, query: AuditQuery): Promise<AuditPage> {
  const { area, staff, customer, before, after } = query;
  const back = before === undefined && after !== undefined;
  const rows = await prisma().audit.findMany({
    where: {
      shopId,
      ...(area !== undefined && { area }),
      ...(staff !== undefined && { staffId: staff }),
      ...(customer !== undefined && { customerId: customer }),
      ...(before !== undefined ? { id: { lt: before } } : after !== undefined && { id: { gt: after } }),
    },
    orderBy: { id: back ? "asc" : "desc" },
    take: PAGE + 1,
  });
  const entries = rows.slice(0, PAGE).map(toEntry);
  const more = rows.length > PAGE;
  return back
    ? { entries: entries.reverse(), hasNewer: more, hasOlder: true }
    : { entries, hasNewer: before !== undefined, hasOlder: more };
}

/** Steps from one staff id to the next in the index, so that the cost does not depend on the number of entries. */
const staffStatement = statement<{ staff_id: string; staff_name: string | null }>(
  "audit_staff",
  `WITH RECURSIVE known AS (
     (SELECT staff_id FROM audit WHERE shop_id = $1 AND staff_id IS NOT NULL ORDER BY staff_id LIMIT 1)
     UNION ALL
     SELECT n.staff_id FROM known k CROSS JOIN LATERAL
       (SELECT staff_id FROM audit WHERE shop_id = $1 AND staff_id > k.staff_id ORDER BY staff_id LIMIT 1) AS n
   )
   SELECT k.staff_id, l.staff_name
     FROM (SELECT staff_id FROM known LIMIT 100) AS k
    CROSS JOIN LATERAL (SELECT staff_name FROM audit WHERE shop_id = $1 AND staff_id = k.staff_id ORDER BY id DESC LIMIT 1) AS l`,
);

/** Returns the staff members with entries, for the filter. */
export async function staffInAudit(shopId: number): Promise<Staff[]> {
  const rows = await run(staffStatement, [shopId]);
  return rows.map(({ staff_id, staff_name }) => ({ id: staff_id, name: staff_name ?? undefined, email: undefined }));
}

// The ids contain the time of creation, so the oldest rows come first in the primary key.
/** Purges a shop's entries from before a time. */
export const purgeAudit = purge("audit", { key: "id", type: "uuid", before: "uuid_v7_min($2)" });

/** Removes a customer's id from the audit entries, which stay. */
export async function eraseCustomerInAudit(
  tx: Prisma.TransactionClient,
  shopId: number,
  customerId: string,
): Promise<void> {
  await tx.audit.updateMany({ where: { shopId, customerId }, data: { customerId: null } });
}
