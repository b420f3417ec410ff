import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { FEATURES, hasFeature } from "../billing/index.server.ts";
import { openShareLink, revokeShareLink, shareLink, type ListRef } from "../wishlists/index.server.ts";
import type { Customer, Shopper } from "./identity.server.ts";
import { forShoppers } from "./product.server.ts";
import type { shareBody, sharedData, unsharedData } from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/** Tells whether the store's customers can create share links. Existing links work in any plan. */
export function canShare({ plan }: Shopper): boolean {
  return hasFeature(plan, "sharing");
}

function listOf({ shopId, customerId }: Customer, listId: string | undefined): ListRef {
  return { shopId, kind: "customer", id: customerId, listId };
}

/** Returns the share link of a list of the customer, creating one if there is none. */
export async function share(
  shopper: Customer,
  { listId }: z.output<typeof shareBody>,
): Promise<z.infer<typeof sharedData> | Failure> {
  if (!canShare(shopper)) {
    return new Failure("plan_required", "This store does not offer shared wishlists.", {
      details: { requiredPlan: FEATURES.sharing.from },
    });
  }
  const link = await shareLink(listOf(shopper, listId), shopper.shop, "storefront", shopper.storePath);
  if (link instanceof Failure) return forShoppers(link);
  const { shareUrl, expiresAt } = link;
  return { shareUrl, expiresAt, owner: ownerTag(shopper) };
}

/** Returns the address of a list's share link, if there is one. */
export async function openLink(shopper: Customer, listId: string | undefined): Promise<string | undefined> {
  return (await openShareLink(listOf(shopper, listId), shopper.shop, shopper.storePath))?.shareUrl;
}

/** Revokes the share link of a list of the customer. */
export async function unshare(
  shopper: Customer,
  { listId }: z.output<typeof shareBody>,
): Promise<z.infer<typeof unsharedData> | Failure> {
  const done = await revokeShareLink(listOf(shopper, listId));
  return done instanceof Failure ? forShoppers(done) : { ...done, owner: ownerTag(shopper) };
}
