import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import type { Staff } from "../audit/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { sendTask, task } from "../platform/jobs/tasks.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { log } from "../platform/log/log.server.ts";
import { timeZoneChanged, timeZoneSchema } from "../settings/index.server.ts";
import { findInstalled, plainMoneyFormat } from "../shops/index.server.ts";
import type { Plan } from "./plans.ts";
import { SHOP_SETTINGS, shopSettingsSchema, type ShopSettings } from "./queries.ts";
import { recordBilling } from "./subscription.server.ts";

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;
/** Milliseconds for a response that a merchant waits for. */
const INTERACTIVE_TIMEOUT = 8_000;

/**
 * Reads a shop's currency, money format, time zone and subscription from Shopify, and records them.
 * @param options.staff the staff member whose request it is; undefined in a task
 * @param options.within milliseconds for Shopify's response
 * @returns the shop's plan from now on; undefined for a shop without a connection
 * @throws AdminApiError
 */
async function refreshShop(shopId: number, options: { staff?: Staff; within: number }): Promise<Plan | undefined> {
  const shop = await findInstalled(shopId);
  if (!shop) return undefined;
  const queriedAt = now();
  const result = await queryAdminApi(shop.domain, SHOP_SETTINGS, {
    variables: {},
    schema: shopSettingsSchema,
    within: options.within,
  });
  if (!result) return undefined;
  const { data: settings } = result;
  return transaction(shopId, async (tx) => {
    await recordStore(tx, shopId, settings);
    return recordBilling(tx, shopId, { settings, queriedAt, staff: options.staff });
  });
}

/** Skips no-op updates: they would trigger a NOTIFY. */
async function recordStore(tx: Prisma.TransactionClient, shopId: number, { shop }: ShopSettings): Promise<void> {
  const { id: storeId, ianaTimezone, currencyCode: currency, currencyFormats } = shop;
  await tx.shop.updateMany({
    where: { id: shopId, OR: [{ storeId: null }, { storeId: { not: storeId } }] },
    data: { storeId },
  });
  await tx.shop.updateMany({ where: { id: shopId, currency: null }, data: { currency } });
  // Prices of before can't be compared with those that the next product sync reads.
  await tx.shop.updateMany({
    where: { id: shopId, currency: { not: currency } },
    data: { currency, currencyChangedAt: now() },
  });
  const moneyFormat = plainMoneyFormat(currencyFormats.moneyFormat);
  // In SQL, null is not unequal to a text.
  const differs = moneyFormat === null ? [] : [{ moneyFormat: null }];
  await tx.shop.updateMany({
    where: { id: shopId, OR: [...differs, { moneyFormat: { not: moneyFormat } }] },
    data: { moneyFormat },
  });
  // A time zone that the merchant has chosen stays. The new one applies to days that begin from now on.
  const timeZone = timeZoneSchema.safeParse(ianaTimezone).data;
  if (timeZone !== undefined) {
    const { count } = await tx.shop.updateMany({
      where: { id: shopId, timeZoneChosen: false, timeZone: { not: timeZone } },
      data: { timeZone },
    });
    if (count > 0) await timeZoneChanged(tx, shopId);
  }
}

/**
 * Updates a shop's plan from Shopify while a merchant waits. When Shopify does not respond, a task updates it later.
 * @returns undefined when Shopify did not respond
 */
export async function refreshPlan(shopId: number, staff: Staff): Promise<Plan | undefined> {
  try {
    return await refreshShop(shopId, { staff, within: INTERACTIVE_TIMEOUT });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    log.warn({ err: error }, "could not read a shop's subscription from Shopify; a task will retry");
    await requestShopRefresh(shopId);
    return undefined;
  }
}

// One refresh at a time per shop, so that the later response is recorded last.
export const shopRefresh = task("shop-refresh", z.object({ shopId: z.int() }), performRefresh, {
  exclusive: true,
  concurrency: 4,
});

async function performRefresh({ shopId }: { shopId: number }): Promise<void> {
  await refreshShop(shopId, { within: BACKGROUND_TIMEOUT });
}

/** Enqueues a refresh of a shop's currency, money format, time zone and subscription. */
export async function requestShopRefresh(shopId: number): Promise<void> {
  await sendTask(shopRefresh, { shopId }, { key: String(shopId) });
}
