import { log } from "../platform/log/log.server.ts";
import { Failure } from "../platform/failure.ts";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import type { DraftOrderOutcome } from "./draft-order.ts";
import { DRAFT_ORDER_CREATE, draftOrderCreatedSchema } from "./queries.ts";

/** Milliseconds that staff wait for Shopify. */
const TIMEOUT = 8_000;

/** A line of a draft order. Ids are Shopify's, without `gid://…`. */
export interface DraftOrderLine {
  variantId: string;
  quantity: number;
  /** of a personalized product: they become properties of the line */
  properties: Readonly<Record<string, string>>;
}

type Outcome =
  | { state: "created"; draftOrderId: string; name: string }
  | Exclude<DraftOrderOutcome, { state: "created" }>;

function refused(problem: string): Outcome {
  return { state: "refused", problem, items: [] };
}

function outcomeOf(error: AdminApiError): Outcome | Failure {
  switch (error.reason) {
    case "throttled":
      // Nothing was created, so the same form can be sent again.
      return new Failure(
        "rate_limited",
        "Shopify has too many requests of this app, and nothing was created. Try again in a moment.",
        {
          retryAfter: Math.ceil((error.retryAfter ?? 1_000) / 1_000),
        },
      );
    case "unauthorized":
      if (error.status === undefined) return { state: "not_permitted" };
      return refused("Shopify refused this app. Open the app again, then create the draft order.");
    case "unreachable":
      return { state: "unknown" };
    case "too_costly":
    case "refused":
      return refused(`Shopify refused the draft order: ${error.message}`);
  }
}

/**
 * Creates a draft order in Shopify. It is not repeatable: Shopify creates another one each time.
 * @param shop the shop's domain
 * @returns `rate_limited` while Shopify throttles
 */
export async function createDraftOrder(
  shop: string,
  customerId: string,
  lines: readonly DraftOrderLine[],
): Promise<Outcome | Failure> {
  const input = {
    purchasingEntity: { customerId: `gid://shopify/Customer/${customerId}` },
    lineItems: lines.map(({ variantId, quantity, properties }) => ({
      variantId: `gid://shopify/ProductVariant/${variantId}`,
      quantity,
      customAttributes: Object.entries(properties).map(([key, value]) => ({ key, value })),
    })),
  };
  try {
    const result = await queryAdminApi(shop, DRAFT_ORDER_CREATE, {
      variables: { input },
      schema: draftOrderCreatedSchema,
      within: TIMEOUT,
    });
    if (!result) return refused("This app is not connected to Shopify. Open the app again.");
    const { draftOrder, userErrors } = result.data.draftOrderCreate ?? { draftOrder: null, userErrors: [] };
    if (draftOrder) return { state: "created", draftOrderId: draftOrder.id, name: draftOrder.name };
    const problems = userErrors.map(({ message }) => message).join(" ");
    return refused(`Shopify refused the draft order${problems === "" ? "." : `: ${problems}`}`);
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    log.warn({ shop, reason: error.reason }, "could not create a draft order");
    return outcomeOf(error);
  }
}
