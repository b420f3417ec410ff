import { ME } from "./identifiers.ts";

/** The owner of lists. The kind is part of the key, so that a guest's list can't be read as a customer's. */
export interface Owner {
  shopId: number;
  kind: "customer" | "guest";
  id: string;
  /** of a guest: the address of the request, or its network. A caller can invent guests, so that what is limited counts by address */
  address?: string | undefined;
}

/**
 * Returns the owner that a request's path names.
 * @param id a customer's id, or `me` for the shopper to whom the token is bound
 */
export function ownerInPath({ shopId, owner }: { shopId: number; owner: Owner | undefined }, id: string): Owner {
  return id === ME && owner ? owner : { shopId, kind: "customer", id };
}

/** The id of an owner's default list. Named lists have other ids. */
export const DEFAULT_LIST = "default";

/** A list of an owner: the default list, unless an id is given. */
export interface ListRef extends Owner {
  listId?: string | undefined;
}

/** Returns a list's id. */
export function idOf({ listId = DEFAULT_LIST }: ListRef): string {
  return listId;
}

/** Returns the name under which an owner's look-ups in the store are budgeted. */
export function lookupBudgetOf({ kind, id, address }: Owner): string {
  return address === undefined ? `${kind} ${id}` : `address ${address}`;
}
