import { z } from "zod";
import { shopTransaction } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { log } from "../platform/log.server.ts";
import { appKey } from "../shopify.server.ts";
import { audit, BILLED, billingOf, refreshPlan, type BilledPlan, type Plan } from "../shops/index.server.ts";
import type { Visit } from "./admin.server.ts";

/** Shopify's header for where the whole admin is to go. */
const ELSEWHERE = "X-Shopify-API-Request-Failure-Reauthorize-Url";

/** What Shopify's library throws when Shopify refuses a charge. */
const refusedSchema = z.object({ errorData: z.array(z.object({ message: z.string() })).min(1) });

const billedNames = z.enum(["Starter", "Growth"]) satisfies z.ZodType<keyof typeof BILLED>;

function nameOf(plan: BilledPlan): keyof typeof BILLED {
  return billedNames.parse(Object.entries(BILLED).find(([, of]) => of === plan)?.[0]);
}

/** The page of plans as Shopify's admin shows it, where a merchant comes back to who has decided. */
function returnUrl({ shop }: Visit, wanted: BilledPlan): string {
  const store = shop.domain.replace(".myshopify.com", "");
  return `https://admin.shopify.com/store/${store}/apps/${appKey()}/app/plan?wanted=${wanted}`;
}

function refused(error: unknown, shop: string): Failure {
  const [first] = refusedSchema.safeParse(error).data?.errorData ?? [];
  log.warn({ shop, err: error }, "Shopify did not take a charge");
  return new Failure(
    "service_unavailable",
    first === undefined ? "Shopify can't be reached. Try again in a moment." : `Shopify says: ${first.message}`,
  );
}

/**
 * Asks Shopify for a subscription. Nothing changes before the merchant has approved it there.
 * @returns the address of Shopify's page for that, or why there is none
 */
export async function requestPlan(visit: Visit, plan: BilledPlan): Promise<string | Failure> {
  const { shop, staff, shopify } = visit;
  const { tests, trialDaysLeft } = await billingOf(shop.id);
  try {
    await shopify.billing.request({
      plan: nameOf(plan),
      isTest: tests,
      trialDays: trialDaysLeft,
      returnUrl: returnUrl(visit, plan),
    });
    throw new Error("Shopify's library did not say where to approve the charge");
  } catch (answer) {
    // The library would lead the frame away by an answer that looks like an ended session; the page does it itself.
    const url = answer instanceof Response ? answer.headers.get(ELSEWHERE) : null;
    if (url === null) {
      if (answer instanceof Response) throw answer;
      return refused(answer, shop.domain);
    }
    await shopTransaction(shop.id, (tx) =>
      audit(tx, { shopId: shop.id, staff, act: "plan.requested", details: { from: shop.plan, to: plan } }),
    );
    return url;
  }
}

/** Ends what a shop pays for: it is on the free plan from now on. */
export async function cancelPlan({ shop, staff, shopify: { billing } }: Visit): Promise<Plan | Failure> {
  try {
    // Test charges, too: one that can't be cancelled would come back with the next look.
    const { appSubscriptions } = await billing.check({ isTest: true });
    for (const { id } of appSubscriptions) await billing.cancel({ subscriptionId: id, prorate: true });
  } catch (error) {
    if (error instanceof Response) throw error;
    return refused(error, shop.domain);
  }
  return (await refreshPlan(shop.id, staff)) ?? refused(undefined, shop.domain);
}
