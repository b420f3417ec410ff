import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { isShopifyId } from "../admin-api/gid.ts";
import { AdminApiError, queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { serializeInShop } from "../platform/database/advisory-locks.server.ts";
import { prisma, run, statement } from "../platform/database/database.server.ts";
import { afterCommit } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { sendTask, task, type Task } from "../platform/jobs/tasks.server.ts";
import { log } from "../platform/log/log.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import { customerGid, TAGS_ADD, tagsAddedSchema } from "./queries.ts";
import type { Tagging, TaggingStatus } from "./tagging.ts";

// A tag is one mutation a customer, of which Shopify allows about ten a second, so that a task adds them. A mutation that is repeated changes nothing.

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;
/** Customers whose outcome is recorded at a time: after a crash, at most so many are tagged again. */
const BATCH = 20;
/** Batches after which the task lets those of other shops go first. */
const TURN = 10;
/** Taggings of a shop that may wait or run, and those of which the outcome is kept. */
const MAX_RUNNING = 5;
const MAX_ENDED = 5;
/** Reasons for which Shopify would refuse the same mutation again. */
const REFUSALS: ReadonlySet<AdminApiError["reason"]> = new Set(["refused", "too_costly"]);
/** Characters of Shopify's explanation that are kept. */
const PROBLEM_LENGTH = 255;

const listStatement = statement<Omit<Tagging, "problem"> & { problem: string | null }>(
  "customer_tagging_list",
  "SELECT id, tag, status, total, tagged, refused, problem FROM customer_tagging WHERE shop_id = $1 ORDER BY id",
);

/** Returns a shop's taggings that are under way, and the newest whose outcome staff have not dismissed, the oldest first. */
export async function listTaggings(shopId: number): Promise<Tagging[]> {
  const rows = await run(listStatement, [shopId]);
  return rows.map(({ problem, ...row }) => ({ ...row, problem: problem ?? undefined }));
}

/**
 * Begins to add a tag to customers in Shopify. Those with ids of the merchant's own systems are left out.
 * @returns how many customers are tagged; `invalid_request` when there are none, or when five taggings of the shop are under way
 */
export async function beginTagging(
  tx: Prisma.TransactionClient,
  shopId: number,
  { tag, customerIds }: { tag: string; customerIds: readonly string[] },
): Promise<{ total: number } | Failure> {
  const ids = customerIds.filter(isShopifyId);
  if (ids.length === 0) return new Failure("invalid_request", "These wishlists are of no customer with an account.");
  await serializeInShop(tx, shopId, "customer_tagging");
  if ((await tx.customerTagging.count({ where: { shopId, status: "running" } })) >= MAX_RUNNING) {
    return new Failure(
      "invalid_request",
      "Other customers are being tagged. Wait until one of the tags has been added.",
    );
  }
  const older = await tx.customerTagging.findMany({
    where: { shopId, status: { not: "running" } },
    orderBy: { id: "desc" },
    skip: MAX_ENDED,
    select: { id: true },
  });
  await tx.customerTagging.deleteMany({ where: { shopId, id: { in: older.map(({ id }) => id) } } });
  await tx.$executeRaw`
    INSERT INTO customer_tagging (shop_id, id, tag, customer_ids, total, status)
    VALUES (${shopId}, uuid_v7(), ${tag}, ${ids}, ${ids.length}, 'running')`;
  afterCommit(tx, () => requestTagging(shopId));
  return { total: ids.length };
}

/** Ends a tagging. Customers who have the tag already keep it. */
export function stopTagging(tx: Prisma.TransactionClient, shopId: number, id: string): Promise<void> {
  return end(tx, { shopId, id, status: "stopped" });
}

async function end(
  { customerTagging: table }: Pick<Prisma.TransactionClient, "customerTagging">,
  { shopId, id, status }: { shopId: number; id: string; status: TaggingStatus },
): Promise<void> {
  await table.updateMany({ where: { shopId, id, status: "running" }, data: { status, customerIds: [] } });
}

/** Deletes a tagging that has ended. */
export async function dismissTagging(tx: Prisma.TransactionClient, shopId: number, id: string): Promise<void> {
  await tx.customerTagging.deleteMany({ where: { shopId, id, status: { not: "running" } } });
}

const nextStatement = statement<{ id: string; tag: string; customer_ids: string[] }>(
  "customer_tagging_next",
  `SELECT id, tag, customer_ids[1:${BATCH}] AS customer_ids FROM customer_tagging
    WHERE shop_id = $1 AND status = 'running' ORDER BY id LIMIT 1`,
);

// By value, because an erasure may have removed a customer meanwhile.
const progressStatement = statement<Record<string, never>>(
  "customer_tagging_progress",
  `UPDATE customer_tagging
      SET customer_ids = ARRAY(SELECT c FROM unnest(customer_ids) AS c WHERE c <> ALL ($3::text[])),
          tagged = tagged + $4::integer, refused = refused + $5::integer, problem = coalesce($6::text, problem)
    WHERE shop_id = $1 AND id = $2::uuid AND status = 'running'`,
);

/** Records that customers are done with. */
export async function recordTagged(
  shopId: number,
  id: string,
  { customerIds, tagged, problem }: { customerIds: readonly string[]; tagged: number; problem: string | undefined },
): Promise<void> {
  await run(progressStatement, [shopId, id, customerIds, tagged, customerIds.length - tagged, problem]);
}

/** @returns what Shopify says when it refuses; undefined for a shop without a connection */
async function addTag(
  shop: string,
  customerId: string,
  tag: string,
  signal: AbortSignal,
): Promise<{ problem: string | undefined } | undefined> {
  const variables = { id: customerGid(customerId), tags: [tag] };
  const mutation = () =>
    queryAdminApi(shop, TAGS_ADD, { variables, schema: tagsAddedSchema, within: BACKGROUND_TIMEOUT });
  try {
    const data = await withThrottleRetry(mutation, signal);
    if (!data) return undefined;
    const problems = data.tagsAdd?.userErrors.map(({ message }) => message) ?? ["Shopify returned nothing."];
    return { problem: problems.length === 0 ? undefined : problems.join(" ").slice(0, PROBLEM_LENGTH) };
  } catch (error) {
    // Repeated, it would be refused again, and the other customers would wait for it.
    if (!(error instanceof AdminApiError) || !REFUSALS.has(error.reason)) throw error;
    return { problem: error.message.slice(0, PROBLEM_LENGTH) };
  }
}

/** @returns false for a shop without a connection */
async function tagBatch(
  shop: { id: number; domain: string },
  { id, tag, customer_ids: customerIds }: { id: string; tag: string; customer_ids: string[] },
  signal: AbortSignal,
): Promise<boolean> {
  let tagged = 0;
  let problem: string | undefined;
  for (const customerId of customerIds) {
    const outcome = await addTag(shop.domain, customerId, tag, signal);
    if (!outcome) return false;
    if (outcome.problem === undefined) tagged++;
    problem = outcome.problem ?? problem;
  }
  await recordTagged(shop.id, id, { customerIds, tagged, problem });
  return true;
}

async function tagCustomers(shopId: number, signal: AbortSignal): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  for (let batch = 0; batch < TURN; batch++) {
    const [next] = await run(nextStatement, [shopId]);
    if (!next) return;
    if (next.customer_ids.length === 0) {
      await end(prisma(), { shopId, id: next.id, status: "done" });
      continue;
    }
    try {
      if (!(await tagBatch({ id: shopId, domain: shop.domain }, next, signal))) return;
    } catch (error) {
      // Without an HTTP status, the merchant has taken write_customers back.
      if (!(error instanceof AdminApiError) || error.reason !== "unauthorized" || error.status !== undefined)
        throw error;
      log.warn({ shop: shop.domain }, "the store does not let the app tag customers");
      await end(prisma(), { shopId, id: next.id, status: "not_permitted" });
    }
  }
  await requestTagging(shopId);
}

export const customerTagging: Task<{ shopId: number }> = task(
  "customer-tagging",
  z.object({ shopId: z.int() }),
  ({ shopId }, signal) => tagCustomers(shopId, signal),
  { exclusive: true, concurrency: 2 },
);

async function requestTagging(shopId: number): Promise<void> {
  await sendTask(customerTagging, { shopId }, { key: String(shopId) });
}

/** Enqueues the taggings of a shop that are under way, in case the store has refused the task for long or was installed again. */
export async function reconcileTaggings(shopId: number): Promise<void> {
  if ((await prisma().customerTagging.count({ where: { shopId, status: "running" } })) > 0)
    await requestTagging(shopId);
}
