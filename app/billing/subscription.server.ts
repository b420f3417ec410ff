import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";
import { prisma, run, statement } from "../platform/database/database.server.ts";
import { env } from "../platform/process/env.server.ts";
import { audit } from "../audit/index.server.ts";
import type { Staff } from "../audit/actions.ts";
import {
  bestSubscription,
  billedPlan,
  hasFeature,
  missingPlan,
  planSchema,
  TRIAL_DAYS,
  type BilledPlan,
  type Feature,
  type MissingPlan,
  type Plan,
} from "./plans.ts";
import { OPEN_LINKS_COUNTED, type BillingView } from "./views.ts";
import type { ShopSettings, StoreSubscription } from "./queries.ts";

const DAY_MS = 24 * 3_600_000;

/** States of a subscription that the merchant has accepted, which starts the trial. */
const ACCEPTED: ReadonlySet<string> = new Set(["ACTIVE", "FROZEN", "CANCELLED"]);

/** Returns whether the shop's test charges count like real charges. */
function testsCount(development: boolean): boolean {
  return development || !env().production;
}

interface Found {
  subscription: (StoreSubscription & { plan: BilledPlan }) | undefined;
  status: "active" | "frozen";
}

/** Finds the subscription for the plan page: the active one, or else a frozen one. */
function findSubscription({ currentAppInstallation, shop }: ShopSettings): Found {
  const counts = testsCount(shop.plan.partnerDevelopment);
  const active = bestSubscription(currentAppInstallation.activeSubscriptions, counts);
  if (active) return { subscription: active, status: "active" };
  const [latest] = currentAppInstallation.allSubscriptions.nodes.filter(({ status }) => ACCEPTED.has(status));
  const plan = latest?.status === "FROZEN" ? billedPlan(latest.name) : undefined;
  return { subscription: latest && plan !== undefined ? { ...latest, plan } : undefined, status: "frozen" };
}

function trialStart({ currentAppInstallation }: ShopSettings): Date | undefined {
  return currentAppInstallation.allSubscriptions.nodes
    .filter(({ status }) => ACCEPTED.has(status))
    .map(({ createdAt }) => createdAt)
    .toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/**
 * Records the subscription that Shopify reported. A report from an earlier query does not replace one from a later query.
 * @param report.queriedAt when Shopify was queried
 * @param report.staff the staff member whose request it was, for the audit entry of a changed plan; undefined in a task
 * @returns the shop's plan from now on
 */
export async function recordBilling(
  tx: Prisma.TransactionClient,
  shopId: number,
  { settings, queriedAt, staff }: { settings: ShopSettings; queriedAt: Date; staff: Staff | undefined },
): Promise<Plan> {
  const { subscription, status } = findSubscription(settings);
  const plan = subscription && status === "active" ? subscription.plan : "free";
  const [shop] = await tx.$queryRaw<{ plan: string }[]>`
    SELECT plan, id AS shop_id FROM shop WHERE id = ${shopId} FOR NO KEY UPDATE`;
  if (!shop) return "free";
  const before = planSchema.parse(shop.plan);
  const known = await tx.billing.findUnique({ where: { shopId } });
  if (known && known.requestedAt > queriedAt) return before;
  const started = [known?.trialStartedAt, trialStart(settings)].flatMap((at) => at ?? []);
  const facts = {
    requestedAt: queriedAt,
    development: settings.shop.plan.partnerDevelopment,
    trialStartedAt: started.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
    plan: subscription?.plan ?? null,
    status: subscription ? status : null,
    test: subscription?.test ?? false,
    trialEndsAt:
      subscription && subscription.trialDays > 0
        ? new Date(subscription.createdAt.getTime() + subscription.trialDays * DAY_MS)
        : null,
    periodEndsAt: subscription?.currentPeriodEnd ?? null,
  };
  await tx.billing.upsert({ where: { shopId }, create: { shopId, ...facts }, update: facts });
  // Skip no-op updates: they would trigger a NOTIFY.
  if (plan !== before) {
    await tx.shop.updateMany({ where: { id: shopId }, data: { plan } });
    await audit(tx, { shopId, staff, action: "plan.changed", details: { from: before, to: plan } });
  }
  return plan;
}

/** Returns a shop's subscription for its plan page. */
export async function billingOf(shopId: number): Promise<BillingView> {
  const row = await prisma().billing.findUnique({ where: { shopId } });
  const at = now();
  const elapsed = row?.trialStartedAt ? at.getTime() - row.trialStartedAt.getTime() : 0;
  const inFuture = (time: Date | null | undefined): Date | undefined => (time && time > at ? time : undefined);
  const frozen = row?.status === "frozen" ? planSchema.exclude(["free"]).parse(row.plan) : undefined;
  return {
    tests: testsCount(row?.development ?? false),
    trialDaysLeft: Math.max(0, Math.ceil(TRIAL_DAYS - elapsed / DAY_MS)),
    frozen,
    trialEndsAt: inFuture(row?.trialEndsAt),
    periodEndsAt: inFuture(row?.periodEndsAt),
  };
}

/** Returns the plan that a shop lacks for a feature; undefined when its plan includes the feature. */
export async function readMissingPlan(
  { id, plan }: { id: number; plan: Plan },
  feature: Feature,
): Promise<MissingPlan | undefined> {
  return hasFeature(plan, feature) ? undefined : missingPlan(plan, (await billingOf(id)).frozen, feature);
}

const openLinksStatement = statement<{ open: number }>(
  "open_share_links",
  `SELECT count(*) AS open
     FROM (SELECT 1 FROM share_link WHERE shop_id = $1 AND expires_at > $2 AND revoked_at IS NULL LIMIT $3) AS l`,
);

/** Counts the open share links of a shop, up to `OPEN_LINKS_COUNTED`. */
export async function openShareLinks(shopId: number): Promise<number> {
  const [row] = await run(openLinksStatement, [shopId, now(), OPEN_LINKS_COUNTED]);
  return row?.open ?? 0;
}
