import type { z } from "zod";
import type { Failure } from "../platform/failure.ts";
import { hasFeature } from "../billing/index.server.ts";
import { findContaining, readLists, recordGuestUse, type List, type Owner } from "../wishlists/index.server.ts";
import { ownerOf, type Shopper } from "./identity.server.ts";
import { loginRequired } from "./product.server.ts";
import type { listsBody, listsData } from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/** Tells whether the store's shoppers can create named lists. Existing lists work in any plan. */
export function offersLists({ plan, namedLists }: Shopper): boolean {
  return namedLists && hasFeature(plan, "lists");
}

/** Tells whether a shopper can choose a list for a product. */
export function choosesLists(shopper: Shopper, hasNamedLists: boolean): boolean {
  return shopper.namedLists && (hasNamedLists || offersLists(shopper));
}

/** Returns the shopper's lists, and which of them contain the product or variant that the body names. */
export async function showLists(
  shopper: Shopper,
  { guestId, productId, variantId }: z.output<typeof listsBody>,
): Promise<z.infer<typeof listsData> | Failure> {
  const owner = ownerOf(shopper, guestId);
  if (!owner) return loginRequired();
  const [{ lists, savedCount }, containing] = await Promise.all([
    readLists(owner),
    productId === undefined ? undefined : listsWith(owner, productId, variantId),
    owner.kind === "guest" ? recordGuestUse(owner) : undefined,
  ]);
  return {
    lists: lists.map((list) => ({
      ...shownList(list),
      ...(containing && { contains: containing.has(list.listId) }),
    })),
    canCreate: offersLists(shopper),
    itemCount: savedCount,
    owner: ownerTag(shopper),
  };
}

/** Returns the ids of the lists that have a variant of the product, or the named one. */
async function listsWith(owner: Owner, productId: string, variantId: string | undefined): Promise<Set<string>> {
  const { products } = await findContaining(owner, [productId]);
  const variants = products.flatMap((product) => product.variants);
  return new Set(
    variants
      .filter((variant) => variantId === undefined || variant.variantId === variantId)
      .flatMap(({ listIds }) => listIds),
  );
}

function shownList({ listId, name, itemCount, isDefault, shared, version }: List) {
  return { listId, name, itemCount, isDefault, shared, version };
}
