import type { Prisma } from "@prisma/client";
import { run, statement } from "../platform/database/database.server.ts";

/** A change that could not be processed and is set aside: see `outbox_process`. */
export interface SetAsideChange {
  shop: string;
  /** of the row of `activity` */
  id: string;
  /** what the change is: "added", "removed", … */
  kind: string;
  /** when it was made */
  at: Date;
  failures: number;
  /** SQLSTATE and message of the last failure */
  reason: string;
  /** null after the last attempt: it waits for an operator */
  retryAt: Date | null;
}

/** Unscoped: what was set aside, of one shop or of all. */
const listStatement = statement<SetAsideChange>(
  "set_aside_changes",
  `SELECT s.domain AS shop, c.subject_id AS id, a.kind, a.at, c.failures, c.reason, c.retry_at AS "retryAt"
     FROM set_aside c
     JOIN activity a ON a.shop_id = c.shop_id AND a.id = c.subject_id::bigint
     JOIN shop s ON s.id = c.shop_id
    WHERE c.kind = 'change' AND (c.shop_id = $1 OR $1::bigint IS NULL) ORDER BY c.at DESC LIMIT $2`,
);

/** Changes that one call lists. */
const MAX_LISTED = 200;

/** Lists the changes that are set aside, the last failure first. @param shopId undefined for all shops */
export async function listSetAsideChanges(shopId: number | undefined): Promise<SetAsideChange[]> {
  return run(listStatement, [shopId ?? null, MAX_LISTED]);
}

/** Lets a running worker try a shop's set-aside changes again at once. @param id of one; undefined for all @returns how many */
export async function retryChanges(
  tx: Prisma.TransactionClient,
  shopId: number,
  id: string | undefined,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE set_aside SET failures = 0, retry_at = now()
     WHERE shop_id = ${shopId} AND kind = 'change' AND (subject_id = ${id} OR ${id}::text IS NULL)`;
}

/** Gives a set-aside change up: see `outbox_discard`. @returns false when it is not set aside */
export async function discardChange(tx: Prisma.TransactionClient, shopId: number, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ discarded: boolean }[]>`
    SELECT outbox_discard(p_shop_id => ${shopId}, p_activity_id => ${id}::bigint) AS discarded`;
  return row?.discarded === true;
}
