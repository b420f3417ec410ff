import { fieldsOf } from "./fields.ts";
import type { Responding } from "./request.ts";
import type { Output } from "./types.ts";

/** The methods that return pages, with the field that holds a page's items and the parameter that selects the next page. */
export const PAGED = {
  "wishlists.get": ["items", "offset"],
  "lists.items.list": ["items", "offset"],
  "wishlists.getShared": ["items", "offset"],
  "lists.list": ["lists", "cursor"],
  "lists.history": ["versions", "cursor"],
  "changes.list": ["changes", "since"],
  "webhooks.deliveries.list": ["deliveries", "before"],
} as const;

type Paged = typeof PAGED;
export type PagedName = keyof Paged;
type ItemOf<K extends PagedName> = Output<K>[Paged[K][0] & keyof Output<K>] extends (infer Item)[] ? Item : never;

/**
 * The promise of one page, which is also an async iterable of the items of this and all following pages. Items that are added or removed meanwhile
 * can shift pages that are selected by `offset`: an item may come twice or not at all.
 */
export interface Pages<K extends PagedName> extends Responding<Output<K>>, AsyncIterable<ItemOf<K>> {
  /** Returns this and all following pages. */
  pages(): AsyncIterable<Output<K>>;
}

export function itemsOf(name: PagedName, page: Record<string, unknown>): unknown[] {
  const items = page[PAGED[name][0]];
  return Array.isArray(items) ? items : [];
}

/** Returns what selects the page after this one, or undefined after the last page. */
export function nextPage(
  name: PagedName,
  input: object,
  page: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const [, parameter] = PAGED[name];
  const { nextCursor, hasMore, has_more: more = hasMore ?? nextCursor !== null } = page;
  const items = itemsOf(name, page);
  if (more !== true) return undefined;
  if (nextCursor !== undefined) return { [parameter]: nextCursor };
  // An empty page leads to no other.
  if (items.length === 0) return undefined;
  const { offset = 0 }: { offset?: number } = input;
  return parameter === "before" ? { before: fieldsOf(items.at(-1))["deliveryId"] } : { offset: offset + items.length };
}
