import { now } from "../../platform/clock.server.ts";
import { run, runOne, statement } from "../../platform/database/database.server.ts";
import { log } from "../../platform/log/log.server.ts";
import { readStorePath } from "../../shops/index.server.ts";
import { guestOwner } from "../guests/guests.server.ts";
import { shownDetailsSchema } from "../items/details.ts";
import { DEFAULT_LIST, type ListRef } from "../owner.ts";
import { toShareLink } from "../sharing/share-links.server.ts";
import { STAFF_PAGE } from "./forms.ts";
import type {
  DeletedList,
  ListedItem,
  ListedLink,
  ListName,
  ListOwner,
  ListView,
  OwnersList,
  PricedItem,
  Stock,
} from "./view.ts";

/** The format of the guest ids that browsers create. */
const GUEST_ID = /^[\w-]{22,64}$/;

const findStatement = statement<{ id: number }>(
  "wishlist_find",
  `SELECT id FROM wishlist WHERE shop_id = $1 AND owner_kind = 'customer' AND owner_id = $2 AND handle = 'default'
    UNION ALL
   SELECT id FROM wishlist WHERE shop_id = $1 AND owner_kind = 'guest' AND owner_id = $3 AND handle = 'default'
    UNION ALL
   SELECT w.id FROM merged_guest f
     JOIN wishlist w ON w.shop_id = f.shop_id AND w.owner_kind = 'customer' AND w.owner_id = f.customer_id AND w.handle = 'default'
    WHERE f.shop_id = $1 AND f.guest_id = $3`,
);

/**
 * Finds the list of a customer or guest. For a guest who has logged in it is the customer's list.
 * @param ownerId a customer id, or the guest id of a browser
 * @returns the wishlist's id, or undefined
 */
export async function findList(shopId: number, ownerId: string): Promise<string | undefined> {
  const guest = GUEST_ID.test(ownerId) ? guestOwner(shopId, ownerId).id : null;
  const [row] = await run(findStatement, [shopId, ownerId, guest]);
  return row && String(row.id);
}

interface ListRow {
  owner_kind: "customer" | "guest";
  owner_id: string;
  handle: string;
  name: string | null;
  version: number;
  deleted_at: Date | null;
  item_count: number;
  created_at: Date;
  updated_at: Date;
}

const listStatement = statement<ListRow>(
  "wishlist_of_shop",
  "SELECT owner_kind, owner_id, handle, name, version, deleted_at, item_count, created_at, updated_at FROM wishlist WHERE shop_id = $1 AND id = $2",
);

/** Returns a list, which may be deleted; undefined when the shop has no such list. */
export async function findRow(shopId: number, wishlistId: string): Promise<ListRow | undefined> {
  // PostgreSQL would reject a malformed id with an error.
  if (!/^[1-9]\d{0,14}$/.test(wishlistId)) return undefined;
  const [row] = await run(listStatement, [shopId, wishlistId]);
  return row;
}

/** Returns a list by its internal number; undefined when the shop has no such list. The list may be deleted. */
export async function listRefOf(shopId: number, wishlistId: string): Promise<ListRef | undefined> {
  const row = await findRow(shopId, wishlistId);
  return row && { shopId, kind: row.owner_kind, id: row.owner_id, listId: row.handle };
}

/** Returns what pages show of a list beside its items. */
export function headingOf(row: ListRow): ListName & { owner: ListOwner; deletedAt: Date | undefined } {
  return {
    owner: row.owner_kind === "customer" ? { kind: "customer", customerId: row.owner_id } : { kind: "guest" },
    name: row.name ?? undefined,
    isDefault: row.handle === DEFAULT_LIST,
    deletedAt: row.deleted_at ?? undefined,
  };
}

const ownersListsStatement = statement<{
  id: number;
  handle: string;
  name: string | null;
  item_count: number;
  updated_at: Date;
  shared: boolean;
}>(
  "wishlists_of_owner",
  `SELECT w.id, w.handle, w.name, w.item_count, w.updated_at,
          EXISTS (SELECT 1 FROM share_link l
                   WHERE l.shop_id = $1 AND l.wishlist_id = w.id AND l.revoked_at IS NULL AND l.expires_at > $4) AS shared
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL
    ORDER BY w.handle <> '${DEFAULT_LIST}', w.position, w.handle`,
);

async function readOwnersLists(shopId: number, { owner_kind, owner_id }: ListRow): Promise<OwnersList[]> {
  const rows = await run(ownersListsStatement, [shopId, owner_kind, owner_id, now()]);
  return rows.map(({ id, handle, name, item_count: itemCount, updated_at: updatedAt, shared }) => ({
    ...{ wishlistId: String(id), itemCount, updatedAt, shared },
    name: name ?? undefined,
    isDefault: handle === DEFAULT_LIST,
  }));
}

/** Days for which deleted lists are listed, and the most that are. */
const DELETED_DAYS = 60;
const DELETED_LISTS = 20;
const DAY_MS = 24 * 3_600_000;

const deletedListsStatement = statement<{ id: number; name: string | null; deleted_at: Date; removed: number }>(
  "wishlists_deleted",
  `SELECT w.id, w.name, w.deleted_at,
          (SELECT count(*)::integer FROM activity a
            WHERE a.shop_id = $1 AND a.wishlist_id = w.id AND a.version = w.version AND a.kind = 'removed') AS removed
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at > $4
    ORDER BY w.deleted_at DESC LIMIT ${DELETED_LISTS}`,
);

async function readDeletedLists(shopId: number, { owner_kind, owner_id }: ListRow): Promise<DeletedList[]> {
  const since = new Date(now().getTime() - DELETED_DAYS * DAY_MS);
  const rows = await run(deletedListsStatement, [shopId, owner_kind, owner_id, since]);
  return rows.map(({ id, name, deleted_at: deletedAt, removed: itemCount }) => ({
    ...{ wishlistId: String(id), name: name ?? "", deletedAt, itemCount },
  }));
}

/** An item with its product and variant in the catalog cache. */
export interface ItemRow {
  product_id: string;
  variant_id: string;
  added_at: Date;
  title: string | null;
  image_url: string | null;
  product_gone: boolean;
  variant_title: string | null;
  available: boolean | null;
  variant_gone: boolean;
  /** as `item_row_snapshot` gives them */
  details: unknown;
}

const itemsStatement = statement<ItemRow & { price: string | null; saved_price: string | null }>(
  "wishlist_described",
  `SELECT i.product_id, i.variant_id, i.added_at, i.details, nullif(p.title, '') AS title, p.image_url,
          p.deleted_at IS NOT NULL AS product_gone, v.title AS variant_title, v.available,
          v.deleted_at IS NOT NULL AS variant_gone, amount_text(v.price, s.currency) AS price,
          CASE WHEN s.currency_changed_at IS NULL OR i.added_at > s.currency_changed_at THEN amount_text(i.saved_price, s.currency) END AS saved_price
     FROM (SELECT i.product_id, i.variant_id, i.added_at, i.seq, item_row_snapshot(i) AS details, i.saved_price FROM wishlist_item i
            WHERE shop_id = $1 AND wishlist_id = $2 ORDER BY added_at DESC, seq DESC LIMIT $3 OFFSET $4) AS i
     JOIN shop s ON s.id = $1
     LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id
     LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id
    ORDER BY i.added_at DESC, i.seq DESC`,
);

/** Shopify's title for the only variant of a product without options. */
const ONLY_VARIANT = "Default Title";

async function readItems(shopId: number, wishlistId: string, offset: number): Promise<PricedItem[]> {
  const rows = await run(itemsStatement, [shopId, wishlistId, STAFF_PAGE, offset]);
  return rows.map((row) => ({
    ...toListedItem(row),
    price: row.price ?? undefined,
    savedPrice: row.saved_price ?? undefined,
  }));
}

// As wishlist_summarize() computes it, for the list as it is now.
const valueStatement = statement<{ value: string }>(
  "wishlist_value",
  `SELECT amount_text(coalesce(sum(v.price * coalesce(i.quantity, 1)), 0), (SELECT currency FROM shop WHERE id = $1)) AS value
     FROM wishlist_item i
     JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id AND v.deleted_at IS NULL
     JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id AND p.deleted_at IS NULL
    WHERE i.shop_id = $1 AND i.wishlist_id = $2`,
);

/** Returns an item as staff see it. */
export function toListedItem(row: ItemRow): ListedItem {
  let stock: Stock = row.available === true ? "in" : "out";
  if (row.product_gone || row.variant_gone) stock = "gone";
  else if (row.available === null) stock = "unknown";
  return {
    productId: row.product_id,
    variantId: row.variant_id,
    addedAt: row.added_at,
    title: row.title ?? undefined,
    variantTitle: row.variant_title === ONLY_VARIANT ? undefined : (row.variant_title ?? undefined),
    imageUrl: row.image_url ?? undefined,
    stock,
    details: shownDetailsSchema.parse(row.details),
  };
}

/** The most share links that are listed, newest first. */
const LINKS = 20;

const linksStatement = statement<{
  id: number;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  views: number;
  shared_by: string | null;
  token_sealed: string;
}>(
  "wishlist_links",
  `SELECT id, created_at, expires_at, revoked_at, views, shared_by, token_sealed FROM share_link
    WHERE shop_id = $1 AND wishlist_id = $2 ORDER BY id DESC LIMIT ${LINKS}`,
);

function urlOf(sealed: string, expires: Date, shop: string, storePath: string): string | undefined {
  try {
    return toShareLink(sealed, expires, shop, storePath).shareUrl;
  } catch (error) {
    log.warn({ shop, err: error }, "could not unseal a share link: its key is no longer in the key ring");
    return undefined;
  }
}

async function readLinks(
  { id, domain }: { id: number; domain: string },
  wishlistId: string,
): Promise<Pick<ListView, "openLink" | "pastLinks">> {
  const [rows, storePath] = await Promise.all([run(linksStatement, [id, wishlistId]), readStorePath(id)]);
  const at = now();
  const links = rows.map((row) => ({
    linkId: String(row.id),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at ?? undefined,
    views: row.views,
    sharedBy: row.shared_by ?? undefined,
    sealed: row.token_sealed,
  }));
  const listed = ({ sealed: _, ...link }: (typeof links)[number]): ListedLink => link;
  const open = links.find(({ revokedAt, expiresAt }) => revokedAt === undefined && expiresAt > at);
  return {
    openLink: open && { ...listed(open), url: urlOf(open.sealed, open.expiresAt, domain, storePath) },
    pastLinks: links.filter((link) => link !== open).map(listed),
  };
}

/**
 * Returns a list as staff see it.
 * @param page from 1; a page after the last one means the last page
 * @returns undefined when the shop has no such list
 */
export async function viewList(
  shop: { id: number; domain: string },
  wishlistId: string,
  page: number,
): Promise<ListView | undefined> {
  const row = await findRow(shop.id, wishlistId);
  if (!row) return undefined;
  const pages = Math.max(1, Math.ceil(row.item_count / STAFF_PAGE));
  const shown = Math.min(page, pages);
  const [{ value }, items, links, lists, deletedLists] = await Promise.all([
    runOne(valueStatement, [shop.id, wishlistId]),
    readItems(shop.id, wishlistId, (shown - 1) * STAFF_PAGE),
    readLinks(shop, wishlistId),
    readOwnersLists(shop.id, row),
    readDeletedLists(shop.id, row),
  ]);
  const { item_count: itemCount, created_at: createdAt, updated_at: updatedAt } = row;
  return {
    ...{ wishlistId, value, itemCount, createdAt, updatedAt, items, page: shown, pages, lists, deletedLists },
    ...headingOf(row),
    ...links,
  };
}
