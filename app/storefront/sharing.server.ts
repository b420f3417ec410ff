import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { FEATURES, hasFeature } from "../billing/index.server.ts";
import { openShareLink, revokeShareLink, shareLink, type Owner } from "../wishlists/index.server.ts";
import type { Customer, Shopper } from "./identity.server.ts";
import type { sharedData, unsharedData } from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/** Can the store's customers make share links? Those that there are go on working either way. */
export function canShare({ plan }: Shopper): boolean {
  return hasFeature(plan, "sharing");
}

function customerOf({ shopId, customerId }: Customer): Owner {
  return { shopId, kind: "customer", id: customerId };
}

/** The customer's share link; one is made when there is none. */
export async function share(who: Customer): Promise<z.infer<typeof sharedData> | Failure> {
  if (!canShare(who)) {
    return new Failure("plan_required", "This store does not offer shared wishlists.", {
      details: { requiredPlan: FEATURES.sharing.from },
    });
  }
  const { shareUrl, expiresAt } = await shareLink(customerOf(who), who.shop, "storefront", who.storePath);
  return { shareUrl, expiresAt, owner: ownerTag(who) };
}

/** The address of the customer's share link, if there is one. */
export async function openLink(who: Customer): Promise<string | undefined> {
  return (await openShareLink(customerOf(who), who.shop, who.storePath))?.shareUrl;
}

/** Ends the customer's share link. */
export async function unshare(who: Customer): Promise<z.infer<typeof unsharedData>> {
  return { ...(await revokeShareLink(customerOf(who))), owner: ownerTag(who) };
}
