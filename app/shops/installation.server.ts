import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma, runOne, shopTransaction, statement } from "../platform/database.server.ts";
import { sendTask, task } from "../platform/jobs.server.ts";
import { log } from "../platform/log.server.ts";
import { AdminApiError, askShop } from "./admin-api.server.ts";
import type { Staff } from "./audit-acts.ts";
import { keepBilling } from "./billing.server.ts";
import { forgetSync, requestSync } from "./catalog-sync.server.ts";
import type { Plan } from "./plans.ts";
import { forgetSessions, keepScopes } from "./sessions.server.ts";
import { findInstalled } from "./shops.server.ts";
import { INSTALLATION, installationSchema, SHOP_SETTINGS, shopSettingsSchema } from "./store-queries.ts";
import { timeZoneSchema } from "./time-zone.ts";

/** Milliseconds for an answer. Nobody waits for a task. */
const WITHIN = 20_000;
/** Milliseconds for an answer that a merchant waits for. */
const WAITED_FOR = 8_000;
/** Milliseconds after the report of an uninstall for which a token that still works does not disprove it. */
const REVOKED_WITHIN = 120_000;
/** Statuses with which Shopify refuses the token of an app that is not installed (any more). */
const REVOKED: ReadonlySet<number | undefined> = new Set([400, 401, 404]);

/**
 * Reads from Shopify what it alone knows of a shop: its currency, its time zone, and what it pays for.
 * @param more.staff who is there to see it; nobody, when it is a task
 * @returns the shop's plan from now on; undefined of a shop without a connection
 * @throws AdminApiError
 */
async function refreshShop(shopId: number, more: { staff?: Staff; within: number }): Promise<Plan | undefined> {
  const shop = await findInstalled(shopId);
  if (!shop) return undefined;
  const askedAt = now();
  const answered = await askShop(shop.domain, SHOP_SETTINGS, {
    variables: {},
    answer: shopSettingsSchema,
    within: more.within,
  });
  if (!answered) return undefined;
  const { data } = answered;
  const { id: storeId, ianaTimezone, currencyCode: currency } = data.shop;
  await prisma().shop.updateMany({
    where: { id: shopId, OR: [{ storeId: null }, { storeId: { not: storeId } }] },
    data: { storeId },
  });
  await prisma().shop.updateMany({
    where: { id: shopId, OR: [{ currency: null }, { currency: { not: currency } }] },
    data: { currency },
  });
  const timeZone = timeZoneSchema.safeParse(ianaTimezone).data;
  // For days to come, and for as long as the merchant has not chosen another. An unchanged row tells nobody of a change.
  if (timeZone !== undefined) {
    await prisma().shop.updateMany({
      where: { id: shopId, timeZoneChosen: false, timeZone: { not: timeZone } },
      data: { timeZone },
    });
  }
  return keepBilling(shopId, data, askedAt, more.staff);
}

/**
 * Has the plan of a shop be what Shopify says at this moment, while a merchant waits for it. Whoever can't be told now is told later.
 * @returns undefined when Shopify can't be asked
 */
export async function refreshPlan(shopId: number, staff: Staff): Promise<Plan | undefined> {
  try {
    return await refreshShop(shopId, { staff, within: WAITED_FOR });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    log.warn({ err: error }, "what a shop pays for can't be asked; it is asked again");
    await requestShopRefresh(shopId);
    return undefined;
  }
}

// One after the other: of two answers the later one is what stays.
export const shopRefresh = task("shop-refresh", z.object({ shopId: z.int() }), performRefresh, {
  alone: true,
  lanes: 4,
});

async function performRefresh({ shopId }: { shopId: number }): Promise<void> {
  await refreshShop(shopId, { within: WITHIN });
}

/** Has what Shopify alone knows of a shop read again. */
export async function requestShopRefresh(shopId: number): Promise<void> {
  await sendTask(shopRefresh, { shopId }, { key: String(shopId) });
}

const authorizedStatement = statement<{ id: number }>(
  "shop_authorized",
  `INSERT INTO shop AS s (domain, installed_at, authorized_at) VALUES ($1, $2::timestamptz, $2::timestamptz)
       ON CONFLICT (domain) DO UPDATE
      SET installed_at = CASE WHEN s.uninstalled_at IS NULL THEN s.installed_at ELSE EXCLUDED.installed_at END,
          uninstalled_at = NULL, authorized_at = EXCLUDED.authorized_at
   RETURNING s.id`,
);

/**
 * A shop has let the app in, for the first time, once more, or still: Shopify says so about every hour in which a merchant visits.
 * Its keys work from now on (again), and what is known of it is brought up to date.
 */
export async function shopAuthorized(domain: string): Promise<void> {
  const { id } = await runOne(authorizedStatement, [domain, now()]);
  await requestShopRefresh(id);
  await requestSync(id);
}

type Access = { granted: true; scopes: string[] } | { granted: false; revoked: boolean };

/**
 * Asks a store whether the app is installed. `revoked` is false when that can't be told: there is no token to ask with, or the store
 * answers nothing at all (it is locked or has not been paid for).
 * @throws AdminApiError when another try makes sense
 */
async function askAccess(shop: string): Promise<Access> {
  try {
    const answered = await askShop(shop, INSTALLATION, { variables: {}, answer: installationSchema, within: WITHIN });
    if (!answered) return { granted: false, revoked: false };
    return { granted: true, scopes: answered.data.currentAppInstallation.accessScopes.map(({ handle }) => handle) };
  } catch (error) {
    if (!(error instanceof AdminApiError) || error.reason !== "unauthorized") throw error;
    return { granted: false, revoked: REVOKED.has(error.status) };
  }
}

/** Keeps the scopes that the store grants at this moment. */
export async function refreshScopes(shopId: number): Promise<void> {
  const shop = await findInstalled(shopId);
  const access = shop && (await askAccess(shop.domain));
  if (access?.granted) await keepScopes(shopId, access.scopes);
}

/**
 * Whether a shop has uninstalled the app. One of which no uninstall was heard is asked: the webhook may have been lost.
 * @throws AdminApiError when the store can't be asked now
 */
export async function isUninstalled(shopId: number): Promise<boolean> {
  const shop = await findInstalled(shopId);
  if (!shop) return true;
  const askedAt = now();
  const access = await askAccess(shop.domain);
  if (!access.granted && access.revoked) return recordUninstall(shopId, shop.domain, askedAt);
  log.warn({ shop: shop.domain }, "the erasure of a shop that has the app installed was requested; nothing is erased");
  return false;
}

/**
 * Records that a shop has uninstalled the app: its keys stop, its tokens are deleted, its data stays until Shopify requests the erasure.
 * The report is not believed while the store still accepts the app's token: its time and its delivery id are unsigned, so it may be an
 * old one that is sent again.
 * @param report.at when it happened; earlier than the last authorization it is about an installation before this one
 * @throws AdminApiError when the store can't be asked now
 */
export async function shopUninstalled(shopId: number, report: { at: Date; receivedAt: Date }): Promise<void> {
  const shop = await prisma().shop.findUnique({ where: { id: shopId }, select: { domain: true, authorizedAt: true } });
  if (!shop || (shop.authorizedAt && shop.authorizedAt > report.at)) return;
  if ((await askAccess(shop.domain)).granted) {
    if (now().getTime() - report.receivedAt.getTime() < REVOKED_WITHIN) {
      throw new AdminApiError("refused", "the store still accepts the token of an app that it reports as uninstalled");
    }
    log.warn({ shop: shop.domain }, "a reported uninstall is ignored: the store still accepts the app's token");
    return;
  }
  await recordUninstall(shopId, shop.domain, report.at);
}

/** @returns false when the shop has authorized the app after `at`, or its uninstall is known */
async function recordUninstall(shopId: number, domain: string, at: Date): Promise<boolean> {
  // A shop that authorizes the app meanwhile waits until all of it is done.
  return shopTransaction(shopId, async (transaction) => {
    const { count } = await transaction.shop.updateMany({
      where: { id: shopId, uninstalledAt: null, OR: [{ authorizedAt: null }, { authorizedAt: { lte: at } }] },
      data: { uninstalledAt: now() },
    });
    if (count === 0) return false;
    await forgetSessions(domain, transaction);
    await forgetSync(shopId, transaction);
    return true;
  });
}
