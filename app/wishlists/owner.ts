/** The owner of lists. The kind is part of the key, so that a guest's list can't be read as a customer's. */
export interface Owner {
  shopId: number;
  kind: "customer" | "guest";
  id: string;
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
export function callerOf({ kind, id }: Owner): string {
  return `${kind} ${id}`;
}
