import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import { sendTask, task } from "../platform/jobs/tasks.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { AdminApiError, queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import { ofOne } from "../set-aside/index.server.ts";
import { deleteSetAsideProducts, setProductAside, storeProducts, storeUnseen } from "./cache.server.ts";
import { CATALOG_PAGE, catalogPageSchema, productSchema, type StoreProduct } from "./queries.ts";
import { withAllVariants } from "./product-variants.server.ts";

const PAGE = 100;
/** Variants that are read with each product: Shopify charges for a page what it could contain. Further variants are read product by product. */
const VARIANTS_OF_PAGE = 10;
/** The smallest page, in products: a page that costs too much is halved down to it. */
const LEAST_PAGE = 5;
/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;
/** Milliseconds after which an unfinished sync starts again, because its cursor may have expired. */
const RESUME_WITHIN = 24 * 3_600_000;
/** Milliseconds after which the next authorization repeats a finished sync, in case a webhook was lost. */
const REPEAT_AFTER = 24 * 3_600_000;

interface Progress {
  startedAt: Date;
  cursor: string | null;
  seen: number;
}

/** Returns the progress of an interrupted sync, or that of a new sync. */
async function beginOrResume(shopId: number): Promise<Progress> {
  const at = now();
  const known = await prisma().catalogSync.findUnique({ where: { shopId } });
  if (known && !known.finishedAt && at.getTime() - known.startedAt.getTime() < RESUME_WITHIN) return known;
  const fresh = { startedAt: at, cursor: null, seen: 0, total: null, finishedAt: null, failedReason: null };
  // Locks the shop's row first, like an uninstall, so that the two transactions can't deadlock.
  await transaction(shopId, async (tx) => {
    await tx.shop.updateMany({ where: { id: shopId, catalog: "none" }, data: { catalog: "syncing" } });
    await tx.catalogSync.upsert({ where: { shopId }, create: { shopId, ...fresh }, update: fresh });
  });
  return fresh;
}

/** Reads a page of products. A page that costs too much is halved, and `size` keeps the smaller size for the pages after it. */
async function readPage(
  shop: string,
  { cursor, size }: { cursor: string | null; size: { products: number } },
  signal: AbortSignal,
): Promise<z.output<typeof catalogPageSchema> | undefined> {
  for (;;) {
    const variables = { first: size.products, after: cursor, variants: VARIANTS_OF_PAGE };
    try {
      return await withThrottleRetry(
        () => queryAdminApi(shop, CATALOG_PAGE, { variables, schema: catalogPageSchema, within: BACKGROUND_TIMEOUT }),
        signal,
      );
    } catch (error) {
      if (!(error instanceof AdminApiError) || error.reason !== "too_costly" || size.products <= LEAST_PAGE)
        throw error;
      size.products = Math.max(LEAST_PAGE, Math.floor(size.products / 2));
    }
  }
}

/** Reads a whole store into the catalog cache, page by page. The progress is recorded, so that a repeated task resumes there. */
async function syncCatalog(shopId: number, signal: AbortSignal): Promise<void> {
  const size = { products: PAGE };
  let progress: Progress | undefined;
  for (;;) {
    // The shop may have uninstalled the app during the sync.
    const shop = await findInstalled(shopId);
    if (!shop) return;
    progress ??= await beginOrResume(shopId);
    const queriedAt = now();
    const page = await readPage(shop.domain, { cursor: progress.cursor, size }, signal);
    if (!page) return;
    const { nodes, pageInfo } = page.products;
    const total = page.productsCount?.count;
    const products: StoreProduct[] = [];
    for (const node of nodes) {
      const reason = await ofOne(async () => {
        products.push(await withAllVariants(shop.domain, productSchema.parse(node), signal));
      });
      if (reason !== undefined) await setProductAside(shopId, node.id, queriedAt, reason);
    }
    await storeProducts(shopId, products, queriedAt);
    progress = { ...progress, cursor: pageInfo.endCursor, seen: progress.seen + nodes.length };
    await prisma().catalogSync.update({
      where: { shopId },
      data: { cursor: progress.cursor, seen: progress.seen, total: total ?? null, failedReason: null },
    });
    if (!pageInfo.hasNextPage) break;
  }
  await storeUnseen(shopId, progress.startedAt);
  await deleteSetAsideProducts(shopId, progress.startedAt);
  await transaction(shopId, async (tx) => {
    await tx.shop.updateMany({ where: { id: shopId }, data: { catalog: "ready" } });
    await tx.catalogSync.update({ where: { shopId }, data: { finishedAt: now(), cursor: null } });
  });
}

const syncData = z.object({ shopId: z.int() });

export const catalogSync = task(
  "catalog-sync",
  syncData,
  async ({ shopId }, signal) => {
    try {
      await syncCatalog(shopId, signal);
    } catch (error) {
      if (!(error instanceof AdminApiError)) throw error;
      await prisma().catalogSync.updateMany({ where: { shopId }, data: { failedReason: error.message.slice(0, 500) } });
      // Also when Shopify refuses the app: a closed store opens again, and a refusal can be a mistake.
      throw error;
    }
  },
  { exclusive: true, concurrency: 4 },
);

/** Deletes the progress of a sync: after an uninstall, changes are no longer reported, so the next installation syncs everything. */
export async function deleteSyncProgress(tx: Prisma.TransactionClient, shopId: number): Promise<void> {
  await tx.catalogSync.deleteMany({ where: { shopId } });
}

/** Enqueues a product sync of a shop that has the app, which finds what a lost webhook has hidden. */
export async function reconcileCatalog(shopId: number): Promise<void> {
  if (!(await findInstalled(shopId))) return;
  await sendTask(catalogSync, { shopId }, { key: String(shopId) });
}

/** Enqueues a product sync, unless the last one finished within `REPEAT_AFTER`. */
export async function requestSync(shopId: number): Promise<void> {
  const known = await prisma().catalogSync.findUnique({ where: { shopId } });
  if (known?.finishedAt && now().getTime() - known.finishedAt.getTime() < REPEAT_AFTER) return;
  await sendTask(catalogSync, { shopId }, { key: String(shopId) });
}
