import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { FEATURES, hasFeature } from "../billing/index.server.ts";
import {
  createList,
  deleteList,
  findContaining,
  readLists,
  readOneList,
  readTotals,
  recordGuestUse,
  restoreList,
  updateList,
  type List,
  type Owner,
} from "../wishlists/index.server.ts";
import { ownerOf, type Shopper } from "./identity.server.ts";
import { forShoppers, loginRequired, SOURCE } from "./product.server.ts";
import type {
  changedListData,
  createListBody,
  deletedListData,
  deleteListBody,
  listsBody,
  listsData,
  restoreListBody,
  updateListBody,
} from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/** Tells whether the store's shoppers can create named lists. Existing lists work in any plan. */
export function canCreateLists({ plan, namedLists }: Shopper): boolean {
  return namedLists && hasFeature(plan, "lists");
}

/** Tells whether a shopper can choose a list for a product. */
export function choosesLists(shopper: Shopper, hasNamedLists: boolean): boolean {
  return shopper.namedLists && (hasNamedLists || canCreateLists(shopper));
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
    canCreate: canCreateLists(shopper),
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

async function changed(shopper: Shopper, owner: Owner, list: List): Promise<z.infer<typeof changedListData>> {
  const { itemCount } = await readTotals(owner);
  return { list: shownList(list), itemCount, owner: ownerTag(shopper) };
}

/** @returns `plan_required` where the plan or the shop's setting has no named lists; `list_name_taken`, `list_limit_reached` */
export async function createShopperList(
  shopper: Shopper,
  { guestId, name }: z.output<typeof createListBody>,
): Promise<z.infer<typeof changedListData> | Failure> {
  const owner = ownerOf(shopper, guestId);
  if (!owner) return loginRequired();
  if (!canCreateLists(shopper)) {
    return new Failure("plan_required", "This store does not offer new lists.", {
      details: { requiredPlan: FEATURES.lists.from },
    });
  }
  const created = await createList(owner, { name }, SOURCE);
  return created instanceof Failure ? forShoppers(created) : changed(shopper, owner, created);
}

/** Renames a list. @returns `list_not_found`, `list_name_taken` */
export async function renameShopperList(
  shopper: Shopper,
  { guestId, listId, name }: z.output<typeof updateListBody>,
): Promise<z.infer<typeof changedListData> | Failure> {
  const owner = ownerOf(shopper, guestId);
  if (!owner) return loginRequired();
  const renamed = await updateList({ ...owner, listId }, { name }, SOURCE);
  return renamed instanceof Failure ? forShoppers(renamed) : changed(shopper, owner, renamed);
}

/** @returns `list_not_found`, `default_list` */
export async function deleteShopperList(
  shopper: Shopper,
  { guestId, listId }: z.output<typeof deleteListBody>,
): Promise<z.infer<typeof deletedListData> | Failure> {
  const owner = ownerOf(shopper, guestId);
  if (!owner) return loginRequired();
  const deleted = await deleteList({ ...owner, listId }, SOURCE);
  if (deleted instanceof Failure) return forShoppers(deleted);
  const { itemCount } = await readTotals(owner);
  return { ...deleted, itemCount, owner: ownerTag(shopper) };
}

/** Takes a deletion back. @returns `list_not_found`, `list_name_taken`, `list_limit_reached`, `version_not_found`, `version_expired` */
export async function restoreShopperList(
  shopper: Shopper,
  { guestId, listId, version }: z.output<typeof restoreListBody>,
): Promise<z.infer<typeof changedListData> | Failure> {
  const owner = ownerOf(shopper, guestId);
  if (!owner) return loginRequired();
  const list = { ...owner, listId };
  const restored = await restoreList(list, { version: version - 1 });
  const found = restored instanceof Failure ? restored : await readOneList(list);
  return found instanceof Failure ? forShoppers(found) : changed(shopper, owner, found);
}
