import type { z } from "zod";
import { productNotFound } from "../catalog/failures.ts";
import { resolveHandles } from "../catalog/index.server.ts";
import { Failure, type FailureCode } from "../platform/failure.ts";
import { lookupBudgetOf } from "../wishlists/index.server.ts";
import type { ListOwner } from "./identity.server.ts";
import type { itemBody } from "./schemas.ts";

/** The request names neither a customer nor a guest: its page may be older than the end of the session. */
export function loginRequired(): Failure {
  return new Failure("login_required", "The shopper is not logged in. Log in, or send a `guestId`.");
}

/** Messages for the storefront: those of /v1 are for callers of the API, who may also save products that the catalog does not have. */
const MESSAGES: Partial<Record<FailureCode, string>> = {
  product_not_found: "The shop has no such product.",
  list_not_found: "The shopper has no list with this id.",
  catalog_unavailable: "The product can't be looked up in the shop's catalog right now. Try again.",
  plan_required: "This store does not offer that.",
  catalog_not_connected: "This shop has no catalog connection. Send the product's id and the `variantId`.",
};

/** Returns a failure of another feature with the storefront's message. */
export function forShoppers(failure: Failure): Failure {
  const { code, details, retryAfter } = failure;
  const message = MESSAGES[code];
  if (message === undefined) return failure;
  return new Failure(code, message, {
    ...(details !== undefined && { details }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Returns the id of the product that the body names by id or handle. */
export async function productOf(
  { shopId, owner }: ListOwner,
  { productId, handle = "" }: z.output<typeof itemBody>,
): Promise<string | Failure> {
  if (productId !== undefined) return productId;
  const found = await resolveHandles(shopId, [handle], lookupBudgetOf(owner));
  return found instanceof Failure ? found : (found.get(handle) ?? productNotFound(handle));
}
