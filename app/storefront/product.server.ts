import type { z } from "zod";
import { Failure, type FailureCode } from "../platform/failure.ts";
import { resolveHandles } from "../catalog/index.server.ts";
import { callerOf, type Shopper } from "./identity.server.ts";
import type { itemBody } from "./schemas.ts";

/** What the reports and webhooks know these changes by. */
export const SOURCE = "storefront";

/** The page that sent it may have been loaded before the shopper's session ended. */
export function nobody(): Failure {
  return new Failure("login_required", "Nobody is logged in. Log in, or send a `guestId`.");
}

/** The catalogue's answers are worded for callers of /v1, who may save what is not in it. */
const WORDS: Partial<Record<FailureCode, string>> = {
  product_not_found: "The shop has no such product.",
  catalog_unavailable: "The shop's catalogue can't be asked for this product right now. Try again.",
  catalog_not_connected: "This shop has no catalogue connection. Send the product's id, and `variantId` as well.",
};

export function inOurWords(failure: Failure): Failure {
  const { code, message, retryAfter } = failure;
  return new Failure(code, WORDS[code] ?? message, retryAfter === undefined ? {} : { retryAfter });
}

/** The id of the product that is meant, by its id or its handle. */
export async function productOf(
  who: Shopper,
  { productId, handle = "" }: z.output<typeof itemBody>,
): Promise<string | Failure> {
  if (productId !== undefined) return productId;
  const found = await resolveHandles(who.shopId, [handle], callerOf(who));
  if (found instanceof Failure) return inOurWords(found);
  return found.get(handle) ?? new Failure("product_not_found", `The shop has no product with the handle ${handle}.`);
}
