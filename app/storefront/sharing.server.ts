import { hasFeature } from "../billing/index.server.ts";
import { openShareLink, type ListRef } from "../wishlists/index.server.ts";
import type { Customer, Shopper } from "./identity.server.ts";

/** Tells whether the store's customers can create share links. Existing links work in any plan. */
export function canShare({ plan }: Shopper): boolean {
  return hasFeature(plan, "sharing");
}

function listOf({ shopId, customerId }: Customer, listId: string | undefined): ListRef {
  return { shopId, kind: "customer", id: customerId, listId };
}

/** Returns the address of a list's share link, if there is one. */
export async function openLink(shopper: Customer, listId: string | undefined): Promise<string | undefined> {
  return (await openShareLink(listOf(shopper, listId), shopper.shop, shopper.storePath))?.shareUrl;
}
