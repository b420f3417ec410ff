import { z } from "zod";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import { requestShopRefresh } from "../billing/index.server.ts";
import { deleteSyncProgress, requestSync } from "../catalog/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { prisma, runOne, statement } from "../platform/database.server.ts";
import { sendTask, task } from "../platform/tasks.server.ts";
import { transaction } from "../platform/transaction.server.ts";
import { log } from "../platform/log.server.ts";
import { deleteSessions, recordScopes } from "../shopify-sessions/index.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import { INSTALLATION, installationSchema } from "./queries.ts";
import { subscribeToTopics, TOPIC_SUBSCRIPTIONS } from "./topic-subscriptions.server.ts";

/** The scopes without which a subscription to a topic is refused. */
const TOPIC_SCOPES = [...new Set(TOPIC_SUBSCRIPTIONS.map(({ scope }) => scope))];

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;
/** Milliseconds after the report of an uninstall within which the store may still accept the token. */
const REVOKED_WITHIN = 120_000;
/** Statuses with which Shopify refuses the token of an app that is not installed. */
const REVOKED: ReadonlySet<number | undefined> = new Set([400, 401, 404]);

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

type Access = { granted: true; scopes: string[] } | { granted: false; revoked: boolean };

/**
 * Queries a store for the app's access. `revoked` is false when the store's response does not prove it: there is no token, or the store is locked
 * or unpaid and refuses every request.
 * @throws AdminApiError when a retry can succeed
 */
async function queryAccess(shop: string): Promise<Access> {
  try {
    const result = await queryAdminApi(shop, INSTALLATION, {
      variables: {},
      schema: installationSchema,
      within: BACKGROUND_TIMEOUT,
    });
    if (!result) return { granted: false, revoked: false };
    return { granted: true, scopes: result.data.currentAppInstallation.accessScopes.map(({ handle }) => handle) };
  } catch (error) {
    if (!(error instanceof AdminApiError) || error.reason !== "unauthorized") throw error;
    return { granted: false, revoked: REVOKED.has(error.status) };
  }
}

/** Records the scopes that the store grants now, and subscribes to their topics. */
async function refreshAccess(shopId: number): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const access = await queryAccess(shop.domain);
  if (!access.granted) return;
  const { scopes } = access;
  await transaction(shopId, (tx) => recordScopes(tx, shop.domain, scopes, TOPIC_SCOPES));
  await subscribeToTopics(shop.domain, scopes);
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

/** Does the same for a shop that has the app: what a lost webhook has hidden, and subscriptions that Shopify has deleted. */
export async function reconcileAccess(shopId: number): Promise<void> {
  if (await findInstalled(shopId)) await requestAccessRefresh(shopId);
}

/**
 * Returns whether a shop has uninstalled the app. Without a recorded uninstall the store is queried, because the webhook may have been lost.
 * @throws AdminApiError when the store does not respond
 */
export async function isUninstalled(shopId: number): Promise<boolean> {
  const shop = await findInstalled(shopId);
  if (!shop) return true;
  const queriedAt = now();
  const access = await queryAccess(shop.domain);
  if (!access.granted && access.revoked) return recordUninstall(shopId, shop.domain, queriedAt);
  log.warn({ shop: shop.domain }, "the erasure of a shop that has the app installed was requested; nothing is erased");
  return false;
}

/**
 * Records that a shop has uninstalled the app: its keys stop, its tokens are deleted, its data stays until Shopify requests the erasure.
 * The report is ignored while the store still accepts the app's token: its time and its delivery id are unsigned, so it may be a replay of an
 * old report.
 * @param report.at time of the uninstall; before the last authorization it is about an earlier installation
 * @throws AdminApiError when the store does not respond
 */
export async function shopUninstalled(shopId: number, report: { at: Date; receivedAt: Date }): Promise<void> {
  const shop = await prisma().shop.findUnique({ where: { id: shopId }, select: { domain: true, authorizedAt: true } });
  if (!shop || (shop.authorizedAt && shop.authorizedAt > report.at)) return;
  if ((await queryAccess(shop.domain)).granted) {
    if (now().getTime() - report.receivedAt.getTime() < REVOKED_WITHIN) {
      throw new AdminApiError("refused", "the store still accepts the token of an app that it reports as uninstalled");
    }
    log.warn({ shop: shop.domain }, "a reported uninstall is ignored: the store still accepts the app's token");
    return;
  }
  await recordUninstall(shopId, shop.domain, report.at);
}

/** Records an uninstall. @returns false when the shop has authorized the app after `at`, or the uninstall is recorded already */
async function recordUninstall(shopId: number, domain: string, at: Date): Promise<boolean> {
  // The lock of the shop's row makes a concurrent authorization wait for this transaction.
  return transaction(shopId, async (tx) => {
    const { count } = await tx.shop.updateMany({
      where: { id: shopId, uninstalledAt: null, OR: [{ authorizedAt: null }, { authorizedAt: { lte: at } }] },
      data: { uninstalledAt: now() },
    });
    if (count === 0) return false;
    await deleteSessions(tx, domain);
    await deleteSyncProgress(tx, shopId);
    return true;
  });
}
