import { z } from "zod";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import { requestShopRefresh } from "../billing/index.server.ts";
import { deleteSyncProgress, requestSync } from "../catalog/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { prisma, runOne, statement } from "../platform/database/database.server.ts";
import { followEmailScopes } from "../email/index.server.ts";
import { followScopes } from "../flow/index.server.ts";
import { sendTask, task } from "../platform/jobs/tasks.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { log } from "../platform/log/log.server.ts";
import { deleteSessions, recordScopes } from "../shopify-sessions/index.server.ts";
import { findInstalled, findShop } from "../shops/index.server.ts";
import { INSTALLATION, installationSchema } from "./queries.ts";
import { subscribeToTopics, TOPIC_SUBSCRIPTIONS } from "./topic-subscriptions.server.ts";

/** The scopes without which a subscription to a topic is refused. */
const TOPIC_SCOPES = [...new Set(TOPIC_SUBSCRIPTIONS.map(({ scope }) => scope))];

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;
/** Milliseconds after the report of an uninstall within which the store may still accept the token. */
const REVOKED_WITHIN = 120_000;
/** Milliseconds between the proof that the app is uninstalled and the erasure of the shop, for which the store is queried again. */
const ERASURE_DELAY = 10 * 60_000;

const authorizedStatement = statement<{ id: number }>(
  "shop_authorized",
  `INSERT INTO shop AS s (domain, installed_at, authorized_at) VALUES ($1, $2::timestamptz, $2::timestamptz)
       ON CONFLICT (domain) DO UPDATE
      SET installed_at = CASE WHEN s.uninstalled_at IS NULL THEN s.installed_at ELSE EXCLUDED.installed_at END,
          uninstalled_at = NULL, authorized_at = EXCLUDED.authorized_at
   RETURNING s.id`,
);

/**
 * Records that a shop has authorized the app, which activates its keys, and enqueues the refresh of its settings, subscriptions and products. Shopify authorizes
 * an installed app again about every hour while staff use it.
 */
export async function shopAuthorized(domain: string): Promise<void> {
  const { id } = await runOne(authorizedStatement, [domain, now()]);
  await requestShopRefresh(id);
  await requestAccessRefresh(id);
  await requestSync(id);
}

type Access = "uninstalled" | { scopes: string[] };

/**
 * Queries a store for the app's access.
 * @returns undefined for a shop without a session, which proves nothing
 * @throws AdminApiError when the response proves neither that the app is installed nor that it is not: the store does not respond or is closed, or
 * the access token can't be refreshed
 */
async function queryAccess(shop: string): Promise<Access | undefined> {
  try {
    const result = await queryAdminApi(shop, INSTALLATION, {
      variables: {},
      schema: installationSchema,
      within: BACKGROUND_TIMEOUT,
    });
    return result && { scopes: result.data.currentAppInstallation.accessScopes.map(({ handle }) => handle) };
  } catch (error) {
    if (error instanceof AdminApiError && error.provesUninstall) return "uninstalled";
    throw error;
  }
}

/** Records since when Shopify reports the store's orders, which it does not do between the merchant's permission and the subscription. */
async function recordOrderReports(shopId: number, isReported: boolean): Promise<void> {
  await prisma().shop.updateMany({
    where: { id: shopId, ordersReportedSince: isReported ? null : { not: null } },
    data: { ordersReportedSince: isReported ? now() : null },
  });
}

/** Records the scopes that the store grants now, and subscribes to their topics. */
async function refreshAccess(shopId: number): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const access = await queryAccess(shop.domain);
  if (access === undefined || access === "uninstalled") return;
  const { scopes } = access;
  await transaction(shopId, (tx) => recordScopes(tx, shop.domain, scopes, TOPIC_SCOPES));
  await followScopes(shopId, scopes);
  await followEmailScopes(shopId, scopes);
  const reported = await subscribeToTopics(shop.domain, scopes);
  if (reported) await recordOrderReports(shopId, reported.has("ORDERS_CREATE"));
}

// One refresh at a time per shop, so that no subscription is created twice.
export const accessRefresh = task(
  "access-refresh",
  z.object({ shopId: z.int() }),
  ({ shopId }) => refreshAccess(shopId),
  {
    exclusive: true,
    concurrency: 4,
  },
);

/** Enqueues a refresh of the scopes that a store grants, and of the subscriptions to their topics. */
export async function requestAccessRefresh(shopId: number): Promise<void> {
  await sendTask(accessRefresh, { shopId }, { key: String(shopId) });
}

/** Does the same for a shop by its domain. An unknown one is ignored. */
export async function requestAccessRefreshOf(domain: string): Promise<void> {
  const shop = await findShop(domain);
  if (shop) await requestAccessRefresh(shop.id);
}

/** Does the same for a shop that has the app: what a lost webhook has hidden, and subscriptions that Shopify has deleted. */
export async function reconcileAccess(shopId: number): Promise<void> {
  if (await findInstalled(shopId)) await requestAccessRefresh(shopId);
}

/** Whether a shop may be erased: `later` once the store has been queried again at a time. */
export type Erasure = { may: "now" | "not" } | { may: "later"; at: Date; uninstalledSince: Date };

/**
 * Decides whether a shop may be erased. The webhook may be a replay, so the store must have shown twice, some minutes apart, that the app is not
 * installed. An uninstall that was recorded earlier is the first time; its tokens are deleted, and a new installation ends it.
 * @param uninstalledSince when the store has shown it the first time, if no uninstall was recorded
 * @throws AdminApiError when the store's response proves nothing
 */
export async function mayErase(shopId: number, uninstalledSince: Date | undefined): Promise<Erasure> {
  const shop = await findShopById(shopId);
  if (!shop) return { may: "not" };
  const delayed = (since: Date): Erasure => {
    const at = new Date(since.getTime() + ERASURE_DELAY);
    return at > now() ? { may: "later", at, uninstalledSince: since } : { may: "now" };
  };
  if (shop.uninstalledAt) return delayed(shop.uninstalledAt);
  const queriedAt = now();
  const access = await queryAccess(shop.domain);
  if (access === undefined && shop.authorizedAt) throw withoutSession();
  if (access !== "uninstalled") {
    log.warn(
      { shop: shop.domain },
      "the erasure of a shop that is not shown to be uninstalled was requested; nothing is erased",
    );
    return { may: "not" };
  }
  const erasure = delayed(uninstalledSince ?? queriedAt);
  if (erasure.may === "now" && !(await recordUninstall(shopId, shop.domain, queriedAt))) return { may: "not" };
  return erasure;
}

/** The error about a shop that was authorized but has no readable tokens. The task is retried until the merchant opens the app. */
function withoutSession(): AdminApiError {
  return new AdminApiError("unauthorized", "The shop has no access token, so the store can't be queried");
}

/**
 * Records that a shop has uninstalled the app: its keys stop, its tokens are deleted, its data stays until Shopify requests the erasure.
 * The report is ignored while the store still accepts the app's token: its time and its delivery id are unsigned, so it may be a replay of an
 * old report.
 * @param report.at time of the uninstall; before the last authorization it is about an earlier installation
 * @throws AdminApiError when the store's response proves nothing
 */
export async function shopUninstalled(shopId: number, report: { at: Date; receivedAt: Date }): Promise<void> {
  const shop = await findShopById(shopId);
  if (!shop || shop.uninstalledAt || (shop.authorizedAt && shop.authorizedAt > report.at)) return;
  const access = await queryAccess(shop.domain);
  if (access === undefined && shop.authorizedAt) throw withoutSession();
  if (access === "uninstalled") {
    await recordUninstall(shopId, shop.domain, report.at);
    return;
  }
  if (access !== undefined && now().getTime() - report.receivedAt.getTime() < REVOKED_WITHIN) {
    throw new AdminApiError("refused", "the store still accepts the token of an app that it reports as uninstalled");
  }
  log.warn({ shop: shop.domain }, "a reported uninstall is ignored: the store does not show it");
}

/** Records an uninstall. @returns false when the shop has authorized the app after `at`, or the uninstall is recorded already */
async function recordUninstall(shopId: number, domain: string, at: Date): Promise<boolean> {
  // The lock of the shop's row makes a concurrent authorization wait for this transaction.
  return transaction(shopId, async (tx) => {
    const { count } = await tx.shop.updateMany({
      where: { id: shopId, uninstalledAt: null, OR: [{ authorizedAt: null }, { authorizedAt: { lte: at } }] },
      data: { uninstalledAt: now(), ordersReportedSince: null },
    });
    if (count === 0) return false;
    await deleteSessions(tx, domain);
    await deleteSyncProgress(tx, shopId);
    return true;
  });
}

function findShopById(id: number) {
  const select = { domain: true, authorizedAt: true, uninstalledAt: true };
  return prisma().shop.findUnique({ where: { id }, select });
}
