export const INVENTORY_POLICIES = ["DENY", "CONTINUE"] as const;
export type InventoryPolicy = (typeof INVENTORY_POLICIES)[number];

/** Units of a variant at the store's only location. */
export interface Inventory {
  /** id of the inventory item, numeric */
  itemId: string;
  /** whether the store counts the units; a variant that is not tracked never sells out */
  tracked: boolean;
  /** negative when more were sold than the store had */
  quantity: number;
  /** whether the variant is sold when no unit is left */
  policy: InventoryPolicy;
}

/** Id of the store's only location, numeric. */
export const LOCATION_ID = "71340000001";

/** Quantity of a variant that is in stock, unless stated otherwise. */
export const USUAL_QUANTITY = 12;

/** Inventory item ids follow from variant ids: they need not be stored, and never collide. */
const ITEM_ID_OFFSET = 2_000_000_000_000n;

/** Returns the inventory of a new variant. @param given tracked, USUAL_QUANTITY units and DENY by default */
export function newInventory(variantId: string, given: Partial<Omit<Inventory, "itemId">> = {}): Inventory {
  const itemId = String(BigInt(variantId) + ITEM_ID_OFFSET);
  return { itemId, tracked: true, quantity: USUAL_QUANTITY, policy: "DENY", ...given };
}

/** Tells whether shoppers can buy a variant, by Shopify's rule for `availableForSale`. */
export function isAvailable({ inventory }: { inventory: Inventory }): boolean {
  const { tracked, quantity, policy } = inventory;
  return !tracked || quantity > 0 || policy === "CONTINUE";
}
