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
import { forgetSessions } from "./sessions.server.ts";
import { findInstalled } from "./shops.server.ts";
import { SHOP_SETTINGS, shopSettingsSchema } from "./store-queries.ts";
import { timeZoneSchema } from "./time-zone.ts";

/** Milliseconds for an answer. Nobody waits for a task. */
const WITHIN = 20_000;
/** Milliseconds for an answer that a merchant waits for. */
const WAITED_FOR = 8_000;

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
  const { ianaTimezone, currencyCode: currency } = data.shop;
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

/**
 * A shop has thrown the app out: its keys stop, what could ask its store is forgotten, its data stays until Shopify has it erased.
 * @param at when it did; earlier than the last authorization it speaks of an installation before this one
 */
export async function shopUninstalled(shopId: number, at: Date): Promise<void> {
  const shop = await prisma().shop.findUnique({ where: { id: shopId }, select: { domain: true } });
  if (!shop) return;
  // Whoever lets the app in again meanwhile waits until all of it is done.
  await shopTransaction(shopId, async (transaction) => {
    const { count } = await transaction.shop.updateMany({
      where: { id: shopId, uninstalledAt: null, OR: [{ authorizedAt: null }, { authorizedAt: { lte: at } }] },
      data: { uninstalledAt: now() },
    });
    if (count === 0) return;
    await forgetSessions(shop.domain, transaction);
    await forgetSync(shopId, transaction);
  });
}
