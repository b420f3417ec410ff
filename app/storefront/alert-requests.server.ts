import type { z } from "zod";
import { askAsCustomer, askByAddress, withdrawRequests } from "../contacts/index.server.ts";
import { Failure } from "../platform/failure.ts";
import { callerOf, isCustomer, type Customer, type Shopper } from "./identity.server.ts";
import { forShoppers, SOURCE } from "./product.server.ts";
import type { askBody, requestStateData, withdrawBody } from "./schemas.ts";

const FIELDS = { email: "body.email", targetPrice: "body.targetPrice", variantId: "body.variantId" } as const;

function emailProblem(problem: string): Failure {
  return new Failure("invalid_request", `${FIELDS.email} ${problem}.`, { details: [{ path: FIELDS.email, problem }] });
}

/**
 * Asks for an alert about a variant: a customer's is on at once, and the owner of an address gets an email to confirm it.
 * @returns `invalid_request`, `alerts_unavailable`, `alert_request_limit`, `product_not_found`, `rate_limited`, `catalog_unavailable`, `wishlist_full`
 */
export async function askForAlert(
  shopper: Shopper,
  { email, ...wanted }: z.output<typeof askBody>,
): Promise<z.infer<typeof requestStateData> | Failure> {
  const { shopId, plan } = shopper;
  const asker = { shopId, plan, lookupCaller: callerOf(shopper), fields: FIELDS };
  if (isCustomer(shopper)) {
    if (email !== undefined) return emailProblem("must be left out: the shopper is logged in");
    const list = { shopId, kind: "customer", id: shopper.customerId } as const;
    const state = await askAsCustomer(asker, list, wanted, SOURCE);
    return state instanceof Failure ? forShoppers(state) : { state };
  }
  if (email === undefined) return emailProblem("is missing: the shopper is not logged in");
  const state = await askByAddress(asker, email, wanted);
  return state instanceof Failure ? forShoppers(state) : { state };
}

/** Withdraws what the customer has asked for of a variant, or of a product. */
export async function withdrawAlert(
  { shopId, customerId }: Customer,
  { productId, variantId, kind }: z.output<typeof withdrawBody>,
): Promise<{ withdrawn: number }> {
  const kinds = kind === undefined ? undefined : [kind];
  return { withdrawn: await withdrawRequests(shopId, customerId, { productId, variantId, kinds }) };
}
