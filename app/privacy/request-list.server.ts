import { z } from "zod";
import { prisma, run, shopStatement } from "../platform/database/database.server.ts";
import { subjectOf } from "./requests.server.ts";
import type { PrivacyRequestView } from "./views.ts";

const rowSchema = z.object({
  id: z.string(),
  shopifyRequestId: z.string().nullable(),
  subjectSealed: z.string().nullable(),
  kind: z.enum(["data_request", "redact"]),
  status: z.enum(["pending", "completed"]),
  requestedAt: z.date(),
  dueAt: z.date(),
  completedAt: z.date().nullable(),
});

/** The most open requests that are returned. */
const MAX_OPEN_REQUESTS = 100;

const cursorSchema = z.string().regex(/^\d{1,15}-[\w]{1,40}$/);

type Steps = Pick<PrivacyRequestView, "downloadedAt" | "sentAt">;

const NO_STEPS: Steps = { downloadedAt: null, sentAt: null };

const stepsStatement = shopStatement<Steps & { subject: string }>(
  "privacy_record_steps",
  `SELECT a.subject, max(a.at) FILTER (WHERE a.action = 'privacy.record_fetched') AS "downloadedAt",
          max(a.at) FILTER (WHERE a.action = 'privacy.record_sent') AS "sentAt"
     FROM audit a WHERE a.shop_id = $1 AND a.area = 'privacy' AND a.subject = ANY ($2::text[]) GROUP BY a.subject`,
);

// A shop has few requests: they are deleted 60 days after their completion.
const openStatement = shopStatement<{ dueAt: Date }>(
  "privacy_open_requests",
  `SELECT r.due_at AS "dueAt" FROM privacy_request r
    WHERE r.shop_id = $1 AND r.kind = 'data_request'
      AND NOT EXISTS (SELECT 1 FROM audit a
                       WHERE a.shop_id = $1 AND a.area = 'privacy' AND a.action = 'privacy.record_sent' AND a.subject = r.id)
    ORDER BY r.due_at LIMIT ${MAX_OPEN_REQUESTS}`,
);

/** Returns what staff did with the records of requests, by request. */
async function stepsOf(shopId: number, ids: readonly string[]): Promise<ReadonlyMap<string, Steps>> {
  if (ids.length === 0) return new Map();
  const rows = await run(stepsStatement, [shopId, ids]);
  return new Map(rows.map(({ subject, downloadedAt, sentAt }) => [subject, { downloadedAt, sentAt }]));
}

function cursorOf({ requestedAt, id }: Pick<PrivacyRequestView, "requestedAt" | "id">): string {
  return `${requestedAt.getTime()}-${id}`;
}

/**
 * Returns a page of a shop's privacy requests, newest first.
 * @param after the cursor of the previous page; an invalid one means the first page
 * @returns next: the cursor of the next page, if there is one
 */
export async function listRequests(
  shopId: number,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ requests: PrivacyRequestView[]; next: string | undefined }> {
  const cursor = cursorSchema.safeParse(after).data;
  const dash = cursor?.indexOf("-") ?? 0;
  const requestedAt = new Date(Number(cursor?.slice(0, dash)));
  const rows = await prisma().privacyRequest.findMany({
    where: {
      shopId,
      ...(cursor === undefined
        ? {}
        : {
            requestedAt: { lte: requestedAt },
            OR: [{ requestedAt: { lt: requestedAt } }, { id: { lt: cursor.slice(dash + 1) } }],
          }),
    },
    orderBy: [{ requestedAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    select: {
      id: true,
      kind: true,
      status: true,
      shopifyRequestId: true,
      subjectSealed: true,
      requestedAt: true,
      dueAt: true,
      completedAt: true,
    },
  });
  const page = rows.slice(0, limit).map((row) => rowSchema.parse(row));
  // Records can be large, so their existence is derived from kind and status.
  const requests = page.map(({ subjectSealed, ...row }) => ({
    ...row,
    customerId: subjectOf({ shopId, id: row.id }, subjectSealed) ?? null,
    hasRecord: row.kind === "data_request" && row.status === "completed",
  }));
  const steps = await stepsOf(
    shopId,
    requests.filter(({ hasRecord }) => hasRecord).map(({ id }) => id),
  );
  const last = requests.at(-1);
  return {
    requests: requests.map((request) => ({ ...request, ...(steps.get(request.id) ?? NO_STEPS) })),
    next: rows.length > limit && last ? cursorOf(last) : undefined,
  };
}

/** Returns when the requests for a customer's data are due whose record staff have not sent yet, earliest first. */
export async function openDataRequests(shopId: number): Promise<Date[]> {
  return (await run(openStatement, [shopId])).map(({ dueAt }) => dueAt);
}
