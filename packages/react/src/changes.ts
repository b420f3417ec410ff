import type { Input, Item, List, Output, RequestOptions, WishlistError } from "@wishlist-headless/sdk";

export const DEFAULT_LIST = "default";

/** A list that has a variant. The variant is "" after a product was added whose default variant only the service knows. */
export interface Place {
  listId: string;
  variantId: string;
}

/** The details that components can set. */
export type DetailName = "quantity" | "note" | "properties";

/** What an item can have beside its ids. null clears a detail. */
export type ItemDetails = Pick<Input<"lists.items.update">, DetailName>;

/** The loaded part of a list. */
export interface Page {
  items: readonly Item[];
  total: number;
  hasMore: boolean;
}

export type ApplyToLists = (lists: readonly List[]) => readonly List[];

/** What a change does. It sets a state, so that it can be applied to state that includes it already. */
export interface Effect {
  listId?: string | undefined;
  /** without one, every product of the list */
  productId?: string | undefined;
  /** without one, every saved variant, or the default variant of a product that is added */
  variantId?: string | undefined;
  /** whether the list has the item afterwards */
  saved?: boolean | undefined;
  /** the list to which the item moves */
  to?: string;
  details?: ItemDetails | undefined;
  lists?: ApplyToLists;
}

/** A change that the service has not confirmed. */
export interface PendingChange extends Effect {
  /** a product, or "" for lists: its changes are sent one after another */
  queue: string;
  send: (options: RequestOptions) => Promise<object>;
}

/** What components show beside what the service has confirmed. */
export interface Unconfirmed {
  /** in the order in which they are sent */
  readonly pending: Map<string, PendingChange>;
  /** the last change that failed */
  refused: (PendingChange & { error: WishlistError }) | undefined;
}

/** Tells whether an effect is about a variant in a list. */
export function isMeant(effect: Effect, one: Effect): boolean {
  return (["listId", "productId", "variantId"] as const).every((id) => (effect[id] ?? one[id]) === one[id]);
}

/** Returns the id of the list that gets an item, if one does. */
export function targetOf({ listId, saved, to }: Effect): string | undefined {
  return to ?? (saved ? listId : undefined);
}

/** Returns the lists that have a product, after a change. */
export function applyToPlaces(productId: string, places: readonly Place[], effect: Effect): readonly Place[] {
  const { variantId = "", saved } = effect;
  if ((effect.productId ?? productId) !== productId) return places;
  const kept = places.filter((place) => saved !== false || !isMeant(effect, { ...place, productId }));
  const listId = targetOf(effect);
  const isThere = kept.some((one) => one.listId === listId && (variantId || one.variantId) === one.variantId);
  return listId === undefined || isThere ? kept : [...kept, { listId, variantId }];
}

/** Returns loaded items after a change. An item that is added is unknown here: the list is read again. */
export function applyToPage(listId: string, page: Page, effect: Effect): Page {
  const { saved, details } = effect;
  const items = page.items.flatMap((item) => {
    if (!isMeant(effect, { ...item, listId })) return item;
    return saved === false ? [] : withDetails(item, details);
  });
  return { ...page, items, total: page.total - page.items.length + items.length };
}

/** Returns the details of an item, undefined where they are not set. */
export function detailsOf({ quantity, note, properties }: Pick<Item, DetailName>): ItemDetails {
  return { quantity, note, properties };
}

function withDetails({ quantity, note, properties, ...item }: Item, details: ItemDetails | undefined): Item {
  const all = { quantity, note, properties, ...details };
  return { ...item, ...Object.fromEntries(Object.entries(all).filter(([, value]) => value)) };
}

/** Returns an effect that sets fields of lists, by id. */
export function setFields(fields: Record<string, Partial<List> | undefined>): ApplyToLists {
  return (lists) => lists.map((list) => ({ ...list, ...fields[list.listId] }));
}

/** Returns the lists that have a product, as the service found them. */
export function placesOf({ products }: Output<"lists.containing">, id: string): readonly Place[] {
  const variants = products.flatMap((product) => (product.productId === id ? product.variants : []));
  return variants.flatMap(({ variantId, listIds }) => listIds.map((listId) => ({ listId, variantId })));
}

/** Returns the id in a GID of Shopify, as the service returns it, or the id itself. */
export function idOf<Id extends string | undefined>(id: Id): Id | string {
  return id?.replace(/^gid:.*\//, "") ?? id;
}
