import { setTimeout as after } from "node:timers/promises";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database.server.ts";
import { sendTask, task } from "../platform/jobs.server.ts";
import { log } from "../platform/log.server.ts";
import { AdminApiError, askShop, type Answered } from "./admin-api.server.ts";
import { storeDeleted, storeProducts, storeUnseen, withAllVariants } from "./mirror-store.server.ts";
import {
  CATALOG_PAGE,
  catalogPageSchema,
  PRODUCTS_BY_ID,
  productGid,
  productsByIdSchema,
  VARIANT_PAGE,
} from "./store-queries.ts";
import { findInstalled } from "./shops.server.ts";

const PAGE = 100;
/** A page that costs too much is halved, down to this many products. */
const LEAST_PAGE = 5;
/** Milliseconds for an answer. Nobody waits for a job. */
const WITHIN = 20_000;
/** Milliseconds after which a sync that was not finished begins anew: a cursor does not live for ever. */
const RESUME_WITHIN = 24 * 3_600_000;
/** Milliseconds after which a finished sync is repeated when there is an occasion, in case a webhook was lost. */
const REPEAT_AFTER = 24 * 3_600_000;

interface Progress {
  startedAt: Date;
  cursor: string | null;
  seen: number;
}

/** Where a sync goes on that was cut off, or the beginning of a new one. */
async function beginOrResume(shopId: number): Promise<Progress> {
  const at = now();
  const known = await prisma().catalogSync.findUnique({ where: { shopId } });
  if (known && !known.finishedAt && at.getTime() - known.startedAt.getTime() < RESUME_WITHIN) return known;
  const fresh = { startedAt: at, cursor: null, seen: 0, finishedAt: null, failedReason: null };
  await prisma().$transaction([
    prisma().catalogSync.upsert({ where: { shopId }, create: { shopId, ...fresh }, update: fresh }),
    prisma().shop.updateMany({ where: { id: shopId, catalog: "none" }, data: { catalog: "syncing" } }),
  ]);
  return fresh;
}

/** Waits as long as Shopify asks for, and halves what costs too much. Other failures are the task's. */
async function askPatiently<Data>(
  ask: (first: number) => Promise<Answered<Data> | undefined>,
  signal: AbortSignal,
): Promise<Data | undefined> {
  let first = PAGE;
  for (;;) {
    signal.throwIfAborted();
    try {
      const answered = await ask(first);
      if (answered && answered.restoredIn > 0) await after(answered.restoredIn, undefined, { signal });
      return answered?.data;
    } catch (error) {
      if (!(error instanceof AdminApiError)) throw error;
      if (error.reason === "throttled") await after(error.retryAfter ?? 1_000, undefined, { signal });
      else if (error.reason === "too_costly" && first > LEAST_PAGE) first = Math.max(LEAST_PAGE, Math.floor(first / 2));
      else throw error;
    }
  }
}

/** Mirrors a whole catalogue, page by page; its progress is kept, so that whoever takes over goes on from there. */
async function syncCatalog(shopId: number, signal: AbortSignal): Promise<void> {
  let progress = await beginOrResume(shopId);
  for (;;) {
    // Uninstalled meanwhile: nobody may ask any more.
    const shop = await findInstalled(shopId);
    if (!shop) return;
    const { cursor } = progress;
    const askedAt = now();
    const page = await askPatiently(
      (first) =>
        askShop(shop.domain, CATALOG_PAGE, {
          variables: { first, after: cursor, variants: VARIANT_PAGE },
          answer: catalogPageSchema,
          within: WITHIN,
        }),
      signal,
    );
    if (!page) return;
    const { nodes, pageInfo } = page.products;
    const products = [];
    for (const product of nodes) products.push(await withAllVariants(shop.domain, product, WITHIN));
    await storeProducts(shopId, products, askedAt);
    progress = { ...progress, cursor: pageInfo.endCursor, seen: progress.seen + nodes.length };
    await prisma().catalogSync.update({
      where: { shopId },
      data: { cursor: progress.cursor, seen: progress.seen, failedReason: null },
    });
    if (!pageInfo.hasNextPage) break;
  }
  await storeUnseen(shopId, progress.startedAt);
  await prisma().$transaction([
    prisma().catalogSync.update({ where: { shopId }, data: { finishedAt: now(), cursor: null } }),
    prisma().shop.updateMany({ where: { id: shopId }, data: { catalog: "ready" } }),
  ]);
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
      if (error.reason !== "unauthorized") throw error;
      // Trying again helps nobody: the next visit of the merchant brings a new token and another sync.
      log.warn({ job: "catalog-sync", err: error }, "Shopify does not let the catalogue be read");
    }
  },
  { alone: true },
);

/** Has the catalogue mirrored, unless that was done of late. */
export async function requestSync(shopId: number): Promise<void> {
  const known = await prisma().catalogSync.findUnique({ where: { shopId } });
  if (known?.finishedAt && now().getTime() - known.finishedAt.getTime() < REPEAT_AFTER) return;
  await sendTask(catalogSync, { shopId }, { key: String(shopId) });
}

/** Brings one product up to date with the store, whatever was heard of it before and in which order. */
async function refreshProduct(shopId: number, productId: string): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const askedAt = now();
  const answered = await askShop(shop.domain, PRODUCTS_BY_ID, {
    variables: { ids: [productGid(productId)], variants: VARIANT_PAGE },
    answer: productsByIdSchema,
    within: WITHIN,
  });
  if (!answered) return;
  const [product] = answered.data.nodes;
  if (product) await storeProducts(shopId, [await withAllVariants(shop.domain, product, WITHIN)], askedAt);
  else await storeDeleted(shopId, [productId], askedAt);
}

const productData = z.object({ shopId: z.int(), productId: z.string() });

export const productRefresh = task(
  "catalog-product",
  productData,
  ({ shopId, productId }) => refreshProduct(shopId, productId),
  { alone: true },
);

/** Has one product brought up to date. Of many wishes for the same one that wait, one is enough. */
export async function requestRefresh(shopId: number, productId: string): Promise<void> {
  await sendTask(productRefresh, { shopId, productId }, { key: `${shopId} ${productId}` });
}
