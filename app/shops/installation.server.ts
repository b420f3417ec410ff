import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma, runOne, statement } from "../platform/database.server.ts";
import { sendTask, task } from "../platform/jobs.server.ts";
import { askShop } from "./admin-api.server.ts";
import { forgetSync, requestSync } from "./catalog-sync.server.ts";
import { planOfSubscriptions } from "./plans.ts";
import { forgetSessions } from "./sessions.server.ts";
import { findInstalled } from "./shops.server.ts";
import { SHOP_SETTINGS, shopSettingsSchema } from "./store-queries.ts";
import { timeZoneSchema } from "./time-zone.ts";

/** Milliseconds for an answer. Nobody waits for a task. */
const WITHIN = 20_000;

/** Reads from Shopify what it alone knows of a shop: its time zone, and the plan that it pays for. */
async function refreshShop(shopId: number): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const answered = await askShop(shop.domain, SHOP_SETTINGS, {
    variables: {},
    answer: shopSettingsSchema,
    within: WITHIN,
  });
  if (!answered) return;
  const { data } = answered;
  const timeZone = timeZoneSchema.safeParse(data.shop.ianaTimezone).data;
  const plan = planOfSubscriptions(data.currentAppInstallation.activeSubscriptions);
  // An unchanged row tells nobody of a change.
  await prisma().shop.updateMany({ where: { id: shopId, plan: { not: plan } }, data: { plan } });
  // For days to come, and for as long as the merchant has not chosen another.
  if (timeZone !== undefined) {
    await prisma().shop.updateMany({
      where: { id: shopId, timeZoneChosen: false, timeZone: { not: timeZone } },
      data: { timeZone },
    });
  }
}

// One after the other: of two answers the later one is what stays.
export const shopRefresh = task("shop-refresh", z.object({ shopId: z.int() }), ({ shopId }) => refreshShop(shopId), {
  alone: true,
  lanes: 4,
});

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

/**
 * A shop has thrown the app out: its keys stop, what could ask its store is forgotten, its data stays until Shopify has it erased.
 * @param at when it did; earlier than the last authorization it speaks of an installation before this one
 */
export async function shopUninstalled(shopId: number, at: Date): Promise<void> {
  const shop = await prisma().shop.findUnique({ where: { id: shopId }, select: { domain: true } });
  if (!shop) return;
  // Whoever lets the app in again meanwhile waits until all of it is done.
  await prisma().$transaction(async (transaction) => {
    const { count } = await transaction.shop.updateMany({
      where: { id: shopId, uninstalledAt: null, OR: [{ authorizedAt: null }, { authorizedAt: { lte: at } }] },
      data: { uninstalledAt: now() },
    });
    if (count === 0) return;
    await forgetSessions(shop.domain, transaction);
    await forgetSync(shopId, transaction);
  });
}
