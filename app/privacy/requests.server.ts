import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { seal, unseal } from "../platform/encryption/crypto.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import { afterCommit, transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { randomBase62 } from "../platform/ids.server.ts";
import { sendTask, task } from "../platform/jobs/tasks.server.ts";
import type { SealedColumn } from "../platform/encryption/sealed-columns.server.ts";
import { audit } from "../audit/index.server.ts";
import type { Staff } from "../audit/actions.ts";
import { addressOfContact, findContact, isContact, joinAddress } from "../contacts/index.server.ts";
import { eraseCustomer } from "./erasure.server.ts";
import { gatherCustomerRecord } from "./customer-record.server.ts";
import { recordPage } from "./record-page.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days within which Shopify requires a request to be fulfilled. */
const DUE_DAYS = 30;
/** Days for which a fulfilled request and its record are kept for the merchant. */
const RETENTION_DAYS = 60;

export type PrivacyKind = "data_request" | "redact";

/** Whom a request is about. */
interface Subject {
  customerId: string;
  /** the address that Shopify names: what was asked for with it before a login is the customer's as well */
  email?: string | undefined;
}

/** No customer's id contains a space. */
const subjectText = ({ customerId, email }: Subject): string =>
  email === undefined || email === "" ? customerId : `${customerId} ${email}`;

function toSubject(text: string): Subject {
  // Only a contact's id contains a space, and Shopify names no address for a contact.
  if (isContact(text)) return { customerId: text };
  const space = text.indexOf(" ");
  return space < 0 ? { customerId: text } : { customerId: text.slice(0, space), email: text.slice(space + 1) };
}

interface RequestKey {
  shopId: number;
  id: string;
}

const subjectPurpose = ({ shopId, id }: RequestKey): string => `privacy_request.subject ${shopId} ${id}`;
const recordPurpose = ({ shopId, id }: RequestKey): string => `privacy_request.record ${shopId} ${id}`;

const sealedColumn = (column: string, purpose: (key: RequestKey) => string): SealedColumn => ({
  holds: column === "subject_sealed" ? "subjects of privacy requests" : "records of privacy requests",
  table: "privacy_request",
  column,
  byShop: true,
  key: { id: "text" },
  purpose: (shopId, [id = ""]) => purpose({ shopId, id }),
});

export const SEALED_PRIVACY_REQUESTS = [
  sealedColumn("subject_sealed", subjectPurpose),
  sealedColumn("record_sealed", recordPurpose),
];

/**
 * Records a privacy request from Shopify and enqueues its task. A repeated delivery of the same webhook is the same request.
 * @param request.webhookId of Shopify's delivery; unique as well for a request of staff
 * @param request.taskId derived from the delivery, so that a repetition enqueues nothing
 */
export async function acceptPrivacyRequest(
  tx: Prisma.TransactionClient,
  shopId: number,
  request: {
    kind: PrivacyKind;
    customerId: string;
    email?: string | undefined;
    webhookId: string;
    shopifyRequestId: string | undefined;
    taskId?: string;
  },
): Promise<void> {
  const at = now();
  const id = "prq_" + randomBase62(22);
  await tx.privacyRequest.createMany({
    data: [
      {
        shopId,
        id,
        kind: request.kind,
        shopifyRequestId: request.shopifyRequestId ?? null,
        webhookId: request.webhookId,
        status: "pending",
        requestedAt: at,
        dueAt: new Date(at.getTime() + DUE_DAYS * DAY_MS),
        subjectSealed: seal(subjectText(request), subjectPurpose({ shopId, id })),
      },
    ],
    skipDuplicates: true,
  });
  const known = await tx.privacyRequest.findFirst({ where: { shopId, webhookId: request.webhookId } });
  if (known?.status === "pending") {
    const { taskId } = request;
    afterCommit(tx, () =>
      sendTask(
        privacyTask,
        { shopId, id: known.id },
        { key: known.id, ...(taskId === undefined ? {} : { id: taskId }) },
      ),
    );
  }
}

/** The request of a person without an account, whom Shopify does not know, as staff submit it. */
export const personForm = z.strictObject({
  kind: z.enum(["data_request", "redact"], "Choose what was requested."),
  email: z
    .string("Enter an email address.")
    .trim()
    .min(1, "Enter an email address.")
    .max(320, "Enter an email address."),
});

/**
 * Makes a privacy request for whoever has asked for alerts with an address, without an account. It is fulfilled as Shopify's are.
 * @returns `not_found` when nobody without an account has
 */
export async function requestForAddress(
  tx: Prisma.TransactionClient,
  { shopId, staff }: { shopId: number; staff: Staff },
  { kind, email }: z.output<typeof personForm>,
): Promise<Record<string, never> | Failure> {
  const customerId = await findContact(shopId, email);
  if (customerId === undefined) {
    return new Failure(
      "not_found",
      "Nobody without an account has asked for alerts with this address. For a customer with an account, make the request on the customer's page in Shopify.",
    );
  }
  const webhookId = `staff ${randomBase62(22)}`;
  await acceptPrivacyRequest(tx, shopId, { kind, customerId, webhookId, shopifyRequestId: undefined });
  await audit(tx, {
    shopId,
    staff,
    action: kind === "redact" ? "privacy.erasure_requested" : "privacy.data_requested",
  });
  return {};
}

/** Returns the customer of a request; undefined after the erasure, and when the encryption key is no longer in the key ring. */
export function subjectOf(key: RequestKey, sealed: string | null): string | undefined {
  try {
    return sealed === null ? undefined : toSubject(unseal(sealed, subjectPurpose(key))).customerId;
  } catch {
    return undefined;
  }
}

/** Deletes the records that were gathered for earlier data requests of a customer. */
async function deleteRecords(tx: Prisma.TransactionClient, shopId: number, customerId: string): Promise<void> {
  const requests = await tx.privacyRequest.findMany({
    where: { shopId, kind: "data_request" },
    select: { id: true, subjectSealed: true },
  });
  const ofCustomer = requests.filter(
    ({ id, subjectSealed }) => subjectOf({ shopId, id }, subjectSealed) === customerId,
  );
  await tx.privacyRequest.deleteMany({ where: { shopId, id: { in: ofCustomer.map(({ id }) => id) } } });
}

async function fulfilRequest(key: RequestKey): Promise<void> {
  const { shopId, id } = key;
  const request = await prisma().privacyRequest.findFirst({ where: { shopId, id, status: "pending" } });
  const subjectSealed = request?.subjectSealed ?? undefined;
  if (!request || subjectSealed === undefined) return;
  const { customerId, email } = toSubject(unseal(subjectSealed, subjectPurpose(key)));
  if (email !== undefined) await joinAddress(shopId, { customerId, email }, { withUnconfirmed: true });
  if (request.kind === "redact") {
    await eraseCustomer(shopId, customerId);
    await transaction(shopId, async (tx) => {
      await deleteRecords(tx, shopId, customerId);
      await tx.privacyRequest.updateMany({
        where: { shopId, id },
        data: { status: "completed", completedAt: now(), subjectSealed: null },
      });
    });
    return;
  }
  const { shopifyRequestId, requestedAt } = request;
  const record = JSON.stringify(
    {
      shopifyRequestId: shopifyRequestId ?? undefined,
      requestedAt,
      email: await addressOfContact(shopId, customerId),
      ...(await gatherCustomerRecord(shopId, customerId)),
    },
    null,
    2,
  );
  const recordSealed = seal(record, recordPurpose(key));
  await transaction(shopId, (tx) =>
    tx.privacyRequest.updateMany({
      where: { shopId, id },
      data: { status: "completed", completedAt: now(), recordSealed },
    }),
  );
}

const keySchema = z.object({ shopId: z.int(), id: z.string() });

export const privacyTask = task("privacy-request", keySchema, fulfilRequest, { exclusive: true });

/** All data about a customer, as a file that the merchant passes on. */
export interface PrivacyRecord {
  text: string;
  /** such as `customer-data-7012503486663-2026-11-22.json` */
  fileName: string;
}

/** The formats of a record: a page to read, or the same for programs. */
export const RECORD_FORMATS = ["html", "json"] as const;

type RecordFormat = (typeof RECORD_FORMATS)[number];

/** Returns a file name with the customer and the day of the request, without its extension. The id is escaped, because the name is sent in a header. */
function fileNameOf(customerId: string | undefined, requestedAt: Date, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(requestedAt);
  const subject = customerId?.replaceAll(/[^\w-]/g, "_").slice(0, 64);
  return ["customer-data", subject, day].filter((part) => part !== undefined).join("-");
}

/**
 * Reads the record of a request and writes the audit entry.
 * @param staff the staff member who downloads it
 * @returns undefined when the shop has no such record
 */
export async function readRecord(
  tx: Prisma.TransactionClient,
  shop: { id: number; domain: string; timeZone: string },
  { id, format, staff }: { id: string; format: RecordFormat; staff: Staff },
): Promise<PrivacyRecord | undefined> {
  const shopId = shop.id;
  const request = await tx.privacyRequest.findFirst({ where: { shopId, id } });
  if (typeof request?.recordSealed !== "string") return undefined;
  const text = unseal(request.recordSealed, recordPurpose({ shopId, id }));
  await audit(tx, { shopId, staff, action: "privacy.record_fetched", subject: id });
  const customerId = subjectOf({ shopId, id }, request.subjectSealed);
  return {
    text: format === "json" ? text : recordPage(text, shop),
    fileName: `${fileNameOf(customerId, request.requestedAt, shop.timeZone)}.${format}`,
  };
}

/** Records that staff have sent a customer's record to the customer. @returns false when the shop has no such record */
export async function markRecordSent(
  tx: Prisma.TransactionClient,
  { shopId, staff }: { shopId: number; staff: Staff },
  id: string,
): Promise<boolean> {
  const found = await tx.privacyRequest.count({ where: { shopId, id, kind: "data_request", status: "completed" } });
  if (found === 0) return false;
  const known = await tx.audit.count({
    where: { shopId, area: "privacy", action: "privacy.record_sent", subject: id },
  });
  if (known === 0) await audit(tx, { shopId, staff, action: "privacy.record_sent", subject: id });
  return true;
}

/** Enqueues the tasks of overdue requests again, and deletes requests that were fulfilled `RETENTION_DAYS` ago. */
export async function runPrivacyMaintenance(shopId: number): Promise<void> {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  const overdue = await prisma().privacyRequest.findMany({
    where: { shopId, status: "pending", requestedAt: { lt: before(1) } },
    select: { id: true },
  });
  for (const { id } of overdue) await sendTask(privacyTask, { shopId, id }, { key: id });
  await prisma().privacyRequest.deleteMany({ where: { shopId, completedAt: { lt: before(RETENTION_DAYS) } } });
}
