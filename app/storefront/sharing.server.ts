import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { FEATURES, hasFeature } from "../billing/index.server.ts";
import { openShareLink, revokeShareLink, shareLink, type Owner } from "../wishlists/index.server.ts";
import type { Customer, Shopper } from "./identity.server.ts";
import type { sharedData, unsharedData } from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/** Tells whether the store's customers can create share links. Existing links work in any plan. */
export function canShare({ plan }: Shopper): boolean {
  return hasFeature(plan, "sharing");
}

function customerOf({ shopId, customerId }: Customer): Owner {
  return { shopId, kind: "customer", id: customerId };
}

/** Returns the customer's share link, creating one if there is none. */
export async function share(shopper: Customer): Promise<z.infer<typeof sharedData> | Failure> {
  if (!canShare(shopper)) {
    return new Failure("plan_required", "This store does not offer shared wishlists.", {
      details: { requiredPlan: FEATURES.sharing.from },
    });
  }
  const { shareUrl, expiresAt } = await shareLink(customerOf(shopper), shopper.shop, "storefront", shopper.storePath);
  return { shareUrl, expiresAt, owner: ownerTag(shopper) };
}

/** Returns the address of the customer's share link, if there is one. */
export async function openLink(shopper: Customer): Promise<string | undefined> {
  return (await openShareLink(customerOf(shopper), shopper.shop, shopper.storePath))?.shareUrl;
}

/** Revokes the customer's share link. */
export async function unshare(shopper: Customer): Promise<z.infer<typeof unsharedData>> {
  return { ...(await revokeShareLink(customerOf(shopper))), owner: ownerTag(shopper) };
}
