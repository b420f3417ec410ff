import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database.server.ts";
import { sendTask, task } from "../platform/jobs.server.ts";
import { askShop } from "./admin-api.server.ts";
import { requestSync } from "./catalog-sync.server.ts";
import { planOfSubscriptions } from "./plans.ts";
import { forgetSessions } from "./sessions.server.ts";
import { findInstalled, timeZoneSchema } from "./shops.server.ts";
import { SHOP_SETTINGS, shopSettingsSchema } from "./store-queries.ts";

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
  // The time zone is for days to come; an unchanged row tells nobody of a change.
  await prisma().shop.updateMany({
    where: {
      id: shopId,
      OR: [{ plan: { not: plan } }, ...(timeZone === undefined ? [] : [{ timeZone: { not: timeZone } }])],
    },
    data: { plan, ...(timeZone === undefined ? {} : { timeZone }) },
  });
}

export const shopRefresh = task("shop-refresh", z.object({ shopId: z.int() }), ({ shopId }) => refreshShop(shopId));

/**
 * A shop has let the app in, for the first time, once more, or still: Shopify says so about every hour in which a merchant visits.
 * Its keys work from now on (again), and what is known of it is brought up to date.
 */
export async function shopAuthorized(domain: string): Promise<void> {
  const at = now();
  const { id } = await prisma().$transaction(async (transaction) => {
    const known = await transaction.shop.findUnique({ where: { domain }, select: { uninstalledAt: true } });
    const again = known?.uninstalledAt ? { uninstalledAt: null, installedAt: at } : {};
    return transaction.shop.upsert({
      where: { domain },
      create: { domain, installedAt: at, authorizedAt: at },
      update: { authorizedAt: at, ...again },
      select: { id: true },
    });
  });
  await sendTask(shopRefresh, { shopId: id });
  await requestSync(id);
}

/**
 * A shop has thrown the app out: its keys stop, what could ask its store is forgotten, its data stays until Shopify has it erased.
 * @param at when it did; earlier than the last authorization it speaks of an installation before this one
 */
export async function shopUninstalled(shopId: number, at: Date): Promise<void> {
  const shop = await prisma().shop.findUnique({ where: { id: shopId }, select: { domain: true, authorizedAt: true } });
  if (!shop || (shop.authorizedAt && at < shop.authorizedAt)) return;
  await forgetSessions(shop.domain);
  await prisma().shop.updateMany({ where: { id: shopId, uninstalledAt: null }, data: { uninstalledAt: now() } });
}
