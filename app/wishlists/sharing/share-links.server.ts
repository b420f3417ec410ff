import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { seal, sha256, unseal } from "../../platform/encryption/crypto.server.ts";
import { run, runOne, shopStatement, statement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { fromBase62, randomBase62, toBase62 } from "../../platform/ids.server.ts";
import { log } from "../../platform/log/log.server.ts";
import type { SealedColumn } from "../../platform/encryption/sealed-columns.server.ts";
import { readStorePath } from "../../shops/index.server.ts";
import { WISHLIST_FAILURES } from "../failures.ts";
import { nameSchema } from "../lists/names.ts";
import { detailsText, expandedItemsJoin, itemsText, SHARED_DETAILS_TEXT } from "../items/item-text.ts";
import { idOf, type ListRef } from "../owner.ts";
import { pageJson, toItems, type ListSlice } from "../items/read.server.ts";
import { refusal } from "../refusals.server.ts";
import type { Slice } from "../items/page.ts";

/** 22 base62 characters: 130 random bits. */
const RANDOM_LENGTH = 22;
export const SEAL_PURPOSE = "share_link.token";

export const SEALED_SHARE_LINKS: SealedColumn = {
  holds: "share links",
  table: "share_link",
  column: "token_sealed",
  byShop: true,
  key: { id: "bigint" },
  purpose: () => SEAL_PURPOSE,
};

interface LinkRow {
  sealed: string;
  expires: Date;
  sharer: string | null;
}

/** Returns a new token. It names its shop, so that a look-up needs the rows of one shop only. */
export function freshToken(shopId: number): string {
  return `${toBase62(shopId)}_${randomBase62(RANDOM_LENGTH)}`;
}

/** Returns the shop of a token; undefined when it names none. */
function shopOfToken(token: string): number | undefined {
  const [shop = "", secret] = token.split("_");
  return secret === undefined ? undefined : fromBase62(shop);
}

async function findLink(token: string, { limit, offset }: Slice, expanded: boolean): Promise<SharedRow | undefined> {
  const shopId = shopOfToken(token);
  if (shopId === undefined) return undefined;
  const [row] = await run(expanded ? expandedStatement : plainStatement, [sha256(token), limit, offset, shopId]);
  return row;
}

export const shareTokenSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "is not a share token")
  .meta({ example: "1C_3tVbN0qLr8kZcX5yPw1aHs" });

export const shareLinkSchema = z
  .strictObject({
    shareToken: z.string().meta({ example: "1C_3tVbN0qLr8kZcX5yPw1aHs" }),
    shareUrl: z
      .url()
      .meta({ example: "https://larkfell-outdoor.myshopify.com/apps/wishlist/shared/1C_3tVbN0qLr8kZcX5yPw1aHs" }),
    expiresAt: z.iso.datetime({ precision: 3 }).meta({ example: "2026-12-20T09:30:00.000Z" }),
    sharedBy: z.string().nullable().meta({
      description: "The sharer's name, which the link shows; null without one",
      example: "Ana",
      "x-additive": true,
    }),
  })
  .meta({ id: "ShareLink" });

const MAX_SHARER = 60;

export const updateShareLinkBody = z
  .strictObject({
    shared_by: nameSchema(MAX_SHARER)
      .nullable()
      .meta({
        description: `The sharer's name, 1 to ${MAX_SHARER} characters; surrounding space is removed. null removes the name`,
        example: "Ana",
      }),
  })
  .meta({ id: "UpdateShareLink" });

export const unsharedSchema = z
  .strictObject({
    revoked: z.boolean().meta({ description: "false when there was no active link", example: true }),
  })
  .meta({ id: "ShareLinkRevoked" });

const shareStatement = shopStatement<LinkRow & { created: boolean }>(
  "wishlist_share",
  "SELECT created, sealed, expires, sharer FROM wishlist_share(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_token_hash => $4, p_token_sealed => $5, p_source => $6, p_at => $7, p_list => $8, p_sharer => $9)",
);

/**
 * Returns the open share link of a list, and creates one when there is none.
 * @param request.storePath the path of the app proxy in the store; by default the one of its last request
 * @param request.sharedBy the sharer's name from now on, or null for none. Without it, an open link keeps its name, and a new one takes over the
 *   name of the owner's last link.
 * @returns `list_not_found`
 */
export async function shareLink(
  list: ListRef,
  shop: string,
  request: { source: "api" | "storefront"; storePath?: string | undefined; sharedBy?: string | null },
): Promise<z.infer<typeof shareLinkSchema> | Failure> {
  const fresh = freshToken(list.shopId);
  const { source, storePath, sharedBy } = request;
  const sharer = sharedBy === null ? "" : sharedBy;
  const values = [list.shopId, list.kind, list.id, sha256(fresh), seal(fresh, SEAL_PURPOSE), source, now(), idOf(list)];
  try {
    const { created, ...row } = await runOne(shareStatement, [...values, sharer ?? null]);
    if (created) wakeOutbox(list.shopId);
    return linkOf(row, shop, storePath ?? (await readStorePath(list.shopId)));
  } catch (error) {
    return refusal(error);
  }
}

const openStatement = statement<LinkRow>(
  "share_link_open",
  `SELECT l.token_sealed AS sealed, l.expires_at AS expires, l.shared_by AS sharer
     FROM wishlist w
     JOIN share_link l ON l.shop_id = w.shop_id AND l.wishlist_id = w.id
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = $5 AND w.deleted_at IS NULL
      AND l.shop_id = $1 AND l.revoked_at IS NULL AND l.expires_at > $4`,
);

/** Returns the open share link of a list, or undefined. */
export async function openShareLink(
  list: ListRef,
  shop: string,
  storePath: string,
): Promise<z.infer<typeof shareLinkSchema> | undefined> {
  const [row] = await run(openStatement, [list.shopId, list.kind, list.id, now(), idOf(list)]);
  return row && linkOf(row, shop, storePath);
}

function linkOf(
  { sealed, expires, sharer }: LinkRow,
  shop: string,
  storePath: string,
): z.infer<typeof shareLinkSchema> {
  return { ...toShareLink(sealed, expires, shop, storePath), sharedBy: sharer };
}

/** Returns the link of a sealed token. @param sealed the value of `share_link.token_sealed` */
export function toShareLink(
  sealed: string,
  expires: Date,
  shop: string,
  storePath: string,
): Omit<z.infer<typeof shareLinkSchema>, "sharedBy"> {
  const shareToken = unseal(sealed, SEAL_PURPOSE);
  return {
    shareToken,
    shareUrl: `https://${shop}${storePath}/shared/${shareToken}`,
    expiresAt: expires.toISOString(),
  };
}

const unshareStatement = shopStatement<{ revoked: boolean }>(
  "wishlist_unshare",
  "SELECT revoked FROM wishlist_unshare(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_at => $4, p_list => $5)",
);

/** Revokes the open share link of a list. The next link has another token. @returns `list_not_found` */
export async function revokeShareLink(list: ListRef): Promise<z.infer<typeof unsharedSchema> | Failure> {
  try {
    return await runOne(unshareStatement, [list.shopId, list.kind, list.id, now(), idOf(list)]);
  } catch (error) {
    return refusal(error);
  }
}

interface SharedRow {
  shop_id: number;
  id: number;
  expires_at: Date;
  revoked: boolean;
  name: string | null;
  shared_by: string | null;
  item_count: number;
  items: string;
  details: string | null;
}

function sharedSql(expanded: boolean): string {
  const slice = ["$2", "$3", "$4"] as const;
  const items = expanded
    ? "x.items, x.details"
    : `${itemsText(...slice)} AS items, CASE WHEN w.has_details THEN ${detailsText(...slice, SHARED_DETAILS_TEXT)} END AS details`;
  return `SELECT l.shop_id, l.id, l.expires_at, l.revoked_at IS NOT NULL AS revoked, w.name, l.shared_by, w.item_count, ${items}
     FROM share_link l
     JOIN wishlist w ON w.shop_id = $4 AND w.id = l.wishlist_id
     JOIN shop s ON s.id = l.shop_id ${expanded ? expandedItemsJoin(...slice, { details: SHARED_DETAILS_TEXT }) : ""}
    WHERE l.shop_id = $4 AND l.token_hash = $1 AND s.uninstalled_at IS NULL`;
}

const plainStatement = statement<SharedRow>("shared_wishlist", sharedSql(false));
const expandedStatement = statement<SharedRow>("shared_wishlist_expanded", sharedSql(true));

const viewedStatement = shopStatement<Record<string, never>>(
  "share_link_viewed",
  "SELECT wishlist_record_view(p_shop_id => $1, p_link_id => $2, p_at => $3)",
);

export interface SharedList extends Pick<ListSlice, "json" | "count" | "itemCount"> {
  /** of a list that has a name */
  name: string | null;
  /** the name that the owner has given with the link */
  sharedBy: string | null;
  expiresAt: Date;
}

/**
 * Returns the current list of a share token, without data about its owner but the name given with the link.
 * @param read.shopId the shop to which the link must belong; without it, any shop
 * @param read.counted whether the read counts as a view
 * @param read.expanded whether the items have the data of their products
 */
export async function findShared(
  token: string,
  slice: Slice,
  read: { shopId?: number; counted: boolean; expanded?: boolean },
): Promise<SharedList | Failure> {
  const row = await findLink(token, slice, read.expanded ?? false);
  if (!row || (read.shopId !== undefined && read.shopId !== row.shop_id)) {
    return new Failure("share_not_found", WISHLIST_FAILURES.share_not_found.message);
  }
  if (row.revoked || row.expires_at <= now()) {
    return new Failure("share_expired", WISHLIST_FAILURES.share_expired.message);
  }
  if (read.counted && slice.offset === 0) {
    // A failure to count the view does not fail the request.
    await run(viewedStatement, [row.shop_id, row.id, now()]).catch((error: unknown) => {
      log.warn({ err: error }, "could not count a view of a share link");
    });
  }
  const { name, shared_by: sharedBy, items, details, item_count: itemCount, expires_at: expiresAt } = row;
  return { name, sharedBy, ...toItems(items, details), itemCount, expiresAt };
}

/** Returns the current list of a share token as JSON text. */
export async function readShared(
  token: string,
  slice: Slice,
  read: { counted: boolean; expanded: boolean },
): Promise<string | Failure> {
  const shared = await findShared(token, slice, read);
  if (shared instanceof Failure) return shared;
  const { name, sharedBy, expiresAt, itemCount } = shared;
  const named = name === null ? "" : `,"name":${JSON.stringify(name)}`;
  const sharer = sharedBy === null ? "" : `,"sharedBy":${JSON.stringify(sharedBy)}`;
  return pageJson(shared, itemCount, slice, `,"expiresAt":"${expiresAt.toISOString()}"${named}${sharer}`);
}
