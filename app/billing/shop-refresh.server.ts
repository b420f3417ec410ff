import { z } from "zod";
import { AdminApiError, askShop } from "../admin-api/index.server.ts";
import type { Staff } from "../audit/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database.server.ts";
import { sendTask, task } from "../platform/tasks.server.ts";
import { log } from "../platform/log.server.ts";
import { timeZoneSchema } from "../settings/index.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import type { Plan } from "./plans.ts";
import { SHOP_SETTINGS, shopSettingsSchema } from "./queries.ts";
import { keepBilling } from "./subscription.server.ts";

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;
/** Milliseconds for a response that a merchant waits for. */
const INTERACTIVE_TIMEOUT = 8_000;

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
    return await refreshShop(shopId, { staff, within: INTERACTIVE_TIMEOUT });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    log.warn({ err: error }, "what a shop pays for can't be asked; it is asked again");
    await requestShopRefresh(shopId);
    return undefined;
  }
}

// One after the other: of two answers the later one is what stays.
export const shopRefresh = task("shop-refresh", z.object({ shopId: z.int() }), performRefresh, {
  exclusive: true,
  concurrency: 4,
});

async function performRefresh({ shopId }: { shopId: number }): Promise<void> {
  await refreshShop(shopId, { within: BACKGROUND_TIMEOUT });
}

/** Has what Shopify alone knows of a shop read again. */
export async function requestShopRefresh(shopId: number): Promise<void> {
  await sendTask(shopRefresh, { shopId }, { key: String(shopId) });
}
