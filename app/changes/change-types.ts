/** The kinds of activity that the feed shows, with the types of their changes. Puts into the cart and logins change no list. */
const TYPES_BY_KIND = {
  added: "wishlist.item.added",
  removed: "wishlist.item.removed",
  updated: "wishlist.item.updated",
  list_created: "wishlist.list.created",
  list_renamed: "wishlist.list.renamed",
  list_moved: "wishlist.list.moved",
  list_deleted: "wishlist.list.deleted",
  shared: "wishlist.shared",
} as const;

export type ChangeKind = keyof typeof TYPES_BY_KIND;
export type ChangeType = (typeof TYPES_BY_KIND)[ChangeKind];

export const CHANGE_TYPES: readonly ChangeType[] = Object.values(TYPES_BY_KIND);

const types = new Map<string, ChangeType>(Object.entries(TYPES_BY_KIND));

/** Returns the type of a kind of activity. */
export function typeOf(kind: string): ChangeType {
  const type = types.get(kind);
  if (type === undefined) throw new Error(`the feed has no type for ${kind}`);
  return type;
}

/** Returns the kinds of activity of some types. @param wanted undefined for all */
export function kindsOf(wanted: readonly ChangeType[] | undefined): string[] {
  return [...types].flatMap(([kind, type]) => (wanted?.includes(type) === false ? [] : [kind]));
}
