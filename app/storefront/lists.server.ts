import type { z } from "zod";
import {
  findContaining,
  offersLists,
  readLists,
  recordGuestUse,
  type List,
  type Owner,
} from "../wishlists/index.server.ts";
import type { ListOwner, Shopper } from "./identity.server.ts";
import type { listsBody, listsData } from "./schemas.ts";

/** Tells whether a shopper can choose a list for a product. */
export function choosesLists(shopper: Shopper, hasNamedLists: boolean): boolean {
  return shopper.namedLists && (hasNamedLists || offersLists(shopper));
}

/** Returns the shopper's lists, and which of them contain the product or variant that the body names. */
export async function showLists(
  shopper: ListOwner,
  { productId, variantId }: z.output<typeof listsBody>,
): Promise<z.infer<typeof listsData>> {
  const { owner } = shopper;
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
