import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { audit } from "../../audit/index.server.ts";
import { describeProducts } from "../../catalog/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { run, statement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { readVersions, type ListVersion } from "../history/history.server.ts";
import { itemDetails } from "../items/details.ts";
import { idOf, type ListRef } from "../owner.ts";
import { MAX_LISTS, refusal } from "../refusals.server.ts";
import { auditEntryOf, changeAsStaff, toStaff, wakeAfterCommit, type StaffTarget } from "./change.server.ts";
import { findRow, headingOf, toListedItem, type ItemRow } from "./read.server.ts";
import type { ChangeSource, HistoryView, RestoredItem, RestorePreview, VersionView } from "./view.ts";

/** Versions on a page, and products of a version that it names. */
const PAGE = 25;
const TITLES = 3;
/** Items of each kind that a preview shows. */
const SHOWN = 50;

const SOURCES: Readonly<Record<string, ChangeSource>> = {
  storefront: "storefront",
  cart: "cart",
  api: "api",
  merge: "api",
  staff: "staff",
  import: "import",
  guest_merge: "login",
  move: "move",
  restore: "restore",
};

/** Returns a product's title; the catalog cache can lack the product, or know only that it was deleted. */
function titleOf(productId: string, titles: ReadonlyMap<string, { title: string }>): string {
  const title = titles.get(productId)?.title ?? "";
  return title === "" ? `Product ${productId}` : title;
}

function toVersionView(
  { version, at, source, listEvent, items, restorable, ...counts }: ListVersion,
  titles: ReadonlyMap<string, { title: string }>,
): VersionView {
  const products = [...new Set(items.map(({ productId }) => productId))].slice(0, TITLES);
  return {
    ...{ version, restorable, at: new Date(at), source: SOURCES[source] ?? "other", listEvent: listEvent ?? undefined },
    ...{
      added: counts.addedCount,
      removed: counts.removedCount,
      updated: counts.updatedCount,
      itemCount: counts.itemCount,
    },
    titles: products.map((productId) => titleOf(productId, titles)),
  };
}

/**
 * Returns a page of a list's versions as staff see them, newest first.
 * @param before cursor: versions before this one
 * @returns undefined when the shop has no such list
 */
export async function viewHistory(
  shopId: number,
  wishlistId: string,
  before: number | undefined,
): Promise<HistoryView | undefined> {
  const row = await findRow(shopId, wishlistId);
  if (!row) return undefined;
  const list: ListRef = { shopId, kind: row.owner_kind, id: row.owner_id, listId: row.handle };
  const page = await readVersions(list, { before, limit: PAGE });
  const versions = page?.versions ?? [];
  const products = versions.flatMap(({ items }) => items.map(({ productId }) => productId));
  const titles = await describeProducts(shopId, products);
  const last = versions.at(-1);
  return {
    ...{ wishlistId, current: row.version, ...headingOf(row) },
    versions: versions.map((version) => toVersionView(version, titles)),
    // Versions have no gaps, so the page before this one begins a page's length higher.
    newer: before === undefined || before > row.version ? undefined : newerCursor(before, row.version),
    older: page?.hasMore === true && last ? String(last.version) : undefined,
  };
}

function newerCursor(before: number, current: number): string {
  return before + PAGE > current ? "" : String(before + PAGE);
}

const snapshotSchema = z.object({ addedAt: z.number(), seq: z.number(), ...itemDetails });

interface DiffRow {
  act: "add" | "remove" | "update";
  product_id: string;
  variant_id: string;
  snapshot: unknown;
}

const diffStatement = statement<DiffRow>(
  "wishlist_diff",
  "SELECT act, product_id, variant_id, snapshot FROM wishlist_diff(p_shop_id => $1, p_wishlist_id => $2, p_version => $3)",
);

const describeStatement = statement<Omit<ItemRow, "added_at"> & { added_at: Date | null }>(
  "wishlist_diff_described",
  `SELECT d.product_id, d.variant_id, i.added_at, item_row_snapshot(i) AS details, nullif(p.title, '') AS title, p.image_url,
          p.deleted_at IS NOT NULL AS product_gone, v.title AS variant_title, v.available, v.deleted_at IS NOT NULL AS variant_gone
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS d (product_id, variant_id, ordinal)
     LEFT JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = $2 AND i.product_id = d.product_id AND i.variant_id = d.variant_id
     LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = d.product_id
     LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = d.variant_id AND v.product_id = d.product_id
    ORDER BY d.ordinal`,
);

/** Returns the first items of a kind of change, described, and their number. */
async function changesOf(
  shopId: number,
  wishlistId: string,
  diff: readonly DiffRow[],
  act: DiffRow["act"],
): Promise<{ items: RestoredItem[]; count: number }> {
  const rows = diff
    .filter((row) => row.act === act)
    .map((row) => ({ ...row, snapshot: snapshotSchema.optional().parse(row.snapshot ?? undefined) }))
    .toSorted((a, b) => (a.snapshot?.seq ?? 0) - (b.snapshot?.seq ?? 0));
  const shown = rows.slice(0, SHOWN);
  if (shown.length === 0) return { items: [], count: 0 };
  const described = await run(describeStatement, [
    shopId,
    wishlistId,
    shown.map(({ product_id }) => product_id),
    shown.map(({ variant_id }) => variant_id),
  ]);
  const items = described.map((row, index) => {
    const { addedAt = row.added_at ?? 0, seq, ...then } = shown[index]?.snapshot ?? {};
    const item = toListedItem({ ...row, added_at: new Date(addedAt) });
    const details = seq === undefined ? item.details : then;
    return { item: { ...item, details }, now: row.added_at === null ? undefined : item.details };
  });
  return { items, count: rows.length };
}

/** @returns why the version can't be restored, or the differences */
async function diffOf(shopId: number, wishlistId: string, version: number): Promise<DiffRow[] | string> {
  try {
    return await run(diffStatement, [shopId, wishlistId, version]);
  } catch (error) {
    return toStaff(refusal(error)).message;
  }
}

const UNCHANGED = "The list has the same items now, so there is nothing to restore.";

/**
 * Returns what restoring a version of a list changes.
 * @returns undefined when the shop has no such list
 */
export async function previewRestore(
  shopId: number,
  wishlistId: string,
  version: number,
): Promise<RestorePreview | undefined> {
  const row = await findRow(shopId, wishlistId);
  if (!row) return undefined;
  const list: ListRef = { shopId, kind: row.owner_kind, id: row.owner_id, listId: row.handle };
  const [found, page] = await Promise.all([
    diffOf(shopId, wishlistId, version),
    readVersions(list, { before: version + 1, limit: 1 }),
  ]);
  const diff = typeof found === "string" ? [] : found;
  const [made] = page?.versions ?? [];
  const refused = typeof found === "string" ? found : undefined;
  return {
    ...{ wishlistId, version, current: row.version, ...headingOf(row) },
    at: made?.version === version ? new Date(made.at) : undefined,
    added: await changesOf(shopId, wishlistId, diff, "add"),
    removed: await changesOf(shopId, wishlistId, diff, "remove"),
    updated: await changesOf(shopId, wishlistId, diff, "update"),
    refused: refused ?? (diff.length === 0 && row.deleted_at === null ? UNCHANGED : undefined),
  };
}

interface RestoredRow {
  added: number;
  removed: number;
  updated: number;
}

/**
 * Restores a version of a list, as a version of its own, and writes the audit entry.
 * @param expected the list's version that the staff member has seen; after another change nothing is restored
 * @returns how many items changed
 */
export async function restoreByStaff(
  tx: Prisma.TransactionClient,
  target: StaffTarget,
  version: number,
  expected: number,
): Promise<{ changed: number } | Failure> {
  const before = await findRow(target.shopId, target.wishlistId);
  return changeAsStaff(target, async (list) => {
    const [row] = await tx.$queryRaw<RestoredRow[]>`
      SELECT added_count AS added, removed_count AS removed, updated_count AS updated
        FROM wishlist_restore(p_shop_id => ${list.shopId}::bigint, p_owner_kind => ${list.kind}, p_owner_id => ${list.id},
                              p_list => ${idOf(list)}, p_version => ${version}::bigint, p_limit => ${MAX_LISTS}::integer,
                              p_source => 'staff', p_at => ${now()}, p_expected => ${expected}::bigint)`;
    const changed = row ? row.added + row.removed + row.updated : 0;
    const wasDeleted = before?.deleted_at instanceof Date;
    if (changed > 0 || wasDeleted) {
      await audit(tx, {
        ...auditEntryOf(target, list),
        action: wasDeleted ? "wishlist.list_restored" : "wishlist.restored",
        details: { count: changed },
      });
      wakeAfterCommit(tx, target);
    }
    return { changed };
  });
}

/** Restores a deleted list as it was before its deletion, and writes the audit entry. */
export async function restoreDeletedByStaff(
  tx: Prisma.TransactionClient,
  target: StaffTarget,
): Promise<{ changed: number } | Failure> {
  const row = await findRow(target.shopId, target.wishlistId);
  if (!row?.deleted_at) return new Failure("not_found", "This list is not deleted.");
  return restoreByStaff(tx, target, row.version - 1, row.version);
}
