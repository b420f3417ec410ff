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

/** Returns the path of a list's share link and the sharer's name; empty without a link or a name. */
export async function openLink(
  shopper: Customer,
  listId: string | undefined,
): Promise<{ sharePath: string; sharedBy: string }> {
  const link = await openShareLink(listOf(shopper, listId), shopper.shop, shopper.storePath);
  return { sharePath: link ? new URL(link.shareUrl).pathname : "", sharedBy: link?.sharedBy ?? "" };
}
