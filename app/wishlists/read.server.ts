import { run, statement } from "../platform/database.server.ts";
import { itemsJson, itemsText } from "./items.ts";
import type { Slice } from "./page.ts";

/** Whose wishlist. The kind is part of the key: a guest's list can't be reached as a customer's. */
export interface Owner {
  shopId: number;
  kind: "customer" | "guest";
  id: string;
}

interface PageRow {
  id: number;
  version: number;
  item_count: number;
  /** as `itemsText` gives them; null when the caller has this version already */
  items: string | null;
}

/** One statement, so that count, version and items are of one moment. */
const readPageStatement = statement<PageRow>(
  "wishlist_page",
  `SELECT w.id, w.version, w.item_count,
          CASE WHEN w.id || '.' || w.version = ANY ($6::text[]) THEN NULL ELSE ${itemsText("$4", "$5")} END AS items
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = 'default'`,
);

export interface PageText {
  /** an entity tag made of wishlist, version and slice */
  tag: string;
  /** a wishlist page as JSON text, or null when the caller's tag is still right */
  json: string | null;
}

/** Wishlist and version in the tag of who has no wishlist yet. */
const NOTHING_SAVED = "0.0";

/** @param items as `itemsText` gives them */
export function pageJson(items: string, total: number, { limit, offset }: Slice, more = ""): string {
  const count = Math.max(0, Math.min(limit, total - offset));
  return `{"items":${itemsJson(items)},"count":${count},"total":${total},"has_more":${offset + count < total}${more}}`;
}

/**
 * A page of an owner's wishlist. Who saved nothing has an empty one.
 * @param knownTags entity tags of the caller's copies; `*` stands for any
 */
export async function readPage(owner: Owner, slice: Slice, knownTags: readonly string[]): Promise<PageText> {
  const suffix = `.${slice.limit}.${slice.offset}"`;
  const known = knownTags.flatMap((tag) => (tag.endsWith(suffix) ? [tag.slice(1, -suffix.length)] : []));
  const [row] = await run(readPageStatement, [owner.shopId, owner.kind, owner.id, slice.limit, slice.offset, known]);
  const version = row ? `${row.id}.${row.version}` : NOTHING_SAVED;
  const tag = `"${version}${suffix}`;
  const items = row ? row.items : known.includes(NOTHING_SAVED) ? null : "";
  if (items === null || knownTags.includes("*")) return { tag, json: null };
  return { tag, json: pageJson(items, row?.item_count ?? 0, slice) };
}
