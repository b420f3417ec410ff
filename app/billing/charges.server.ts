import { z } from "zod";
import { audit, type Staff } from "../audit/index.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { log } from "../platform/log/log.server.ts";
import { BILLED, type BilledPlan, type Plan } from "./plans.ts";
import { refreshPlan } from "./shop-refresh.server.ts";
import { billingOf } from "./subscription.server.ts";

/** Header in which Shopify's library names the page that the whole admin has to open. */
const REDIRECT_HEADER = "X-Shopify-API-Request-Failure-Reauthorize-Url";

/** The error of Shopify's library for a charge that Shopify refuses. */
const refusalSchema = z.object({ errorData: z.array(z.object({ message: z.string() })).min(1) });

type BilledName = keyof typeof BILLED;
const billedNameSchema = z.enum(["Starter", "Growth"]) satisfies z.ZodType<BilledName>;

/** The part of Shopify's billing API that charges need. */
interface BillingApi {
  request: (charge: { plan: BilledName; isTest: boolean; trialDays: number; returnUrl: string }) => Promise<unknown>;
  check: (options: { isTest: boolean }) => Promise<{ appSubscriptions: { id: string }[] }>;
  cancel: (options: { subscriptionId: string; prorate: boolean }) => Promise<unknown>;
}

/** A staff member of a shop, with the billing API of their admin session. */
export interface BillingSession {
  shop: { id: number; domain: string; plan: Plan };
  staff: Staff;
  billing: BillingApi;
}

function nameOf(plan: BilledPlan): BilledName {
  return billedNameSchema.parse(Object.entries(BILLED).find(([, of]) => of === plan)?.[0]);
}

function refused(error: unknown, shop: string): Failure {
  const [first] = refusalSchema.safeParse(error).data?.errorData ?? [];
  log.warn({ shop, err: error }, "Shopify refused a charge");
  return new Failure(
    "service_unavailable",
    first === undefined ? "Shopify can't be reached. Try again in a moment." : `Shopify says: ${first.message}`,
  );
}

/**
 * Requests a subscription from Shopify. The plan changes only once the merchant has approved the charge there.
 * @param returnUrl page to which Shopify sends the merchant after the approval
 * @returns the URL of Shopify's approval page, or the failure
 */
export async function requestPlan(
  { shop, staff, billing }: BillingSession,
  plan: BilledPlan,
  returnUrl: string,
): Promise<string | Failure> {
  const { tests, trialDaysLeft } = await billingOf(shop.id);
  try {
    await billing.request({ plan: nameOf(plan), isTest: tests, trialDays: trialDaysLeft, returnUrl });
    throw new Error("Shopify's library returned no URL for the approval of the charge");
  } catch (thrown) {
    // The library throws a response that redirects the frame. The page redirects by itself, so only the URL is taken from it.
    const url = thrown instanceof Response ? thrown.headers.get(REDIRECT_HEADER) : null;
    if (url === null) {
      if (thrown instanceof Response) throw thrown;
      return refused(thrown, shop.domain);
    }
    await transaction(shop.id, (tx) =>
      audit(tx, { shopId: shop.id, staff, action: "plan.requested", details: { from: shop.plan, to: plan } }),
    );
    return url;
  }
}

/** Cancels the shop's subscriptions at Shopify, which moves it to the free plan immediately. */
export async function cancelPlan({ shop, staff, billing }: BillingSession): Promise<Plan | Failure> {
  try {
    // Test charges too: the next refresh would otherwise find them and restore the plan.
    const { appSubscriptions } = await billing.check({ isTest: true });
    for (const { id } of appSubscriptions) await billing.cancel({ subscriptionId: id, prorate: true });
  } catch (error) {
    if (error instanceof Response) throw error;
    return refused(error, shop.domain);
  }
  return (await refreshPlan(shop.id, staff)) ?? refused(undefined, shop.domain);
}
