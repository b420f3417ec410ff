import type { Prisma } from "@prisma/client";
import { prisma } from "../../platform/database/database.server.ts";
import { serializeInShop } from "../../platform/database/advisory-locks.server.ts";
import { now } from "../../platform/clock.server.ts";
import { Failure } from "../../platform/failure.ts";
import { MAX_VIEWS, parseListQuery, toSearch, type ListQuery, type SavedView } from "./list-filters.ts";

/** Returns a shop's saved views, the oldest first. Filters of a view that no longer exist are left out. */
export async function listViews(shopId: number): Promise<SavedView[]> {
  const rows = await prisma().wishlistView.findMany({ where: { shopId }, orderBy: { id: "asc" }, take: MAX_VIEWS });
  return rows.map(({ id, name, query }) => ({
    ...{ id: String(id), name },
    search: toSearch(parseListQuery(new URLSearchParams(query))).toString(),
  }));
}

const gone = (): Failure => new Failure("not_found", "This view was deleted. Reload the page to see the others.");

const taken = (name: string): Failure =>
  new Failure("invalid_request", `There is a view named “${name}” already. Choose another name.`);

/** Views of the same name in another case would be told apart by no one. */
async function isTaken(tx: Prisma.TransactionClient, shopId: number, name: string, except?: bigint): Promise<boolean> {
  const rows = await tx.wishlistView.findMany({ where: { shopId }, select: { id: true, name: true } });
  const key = name.toLowerCase();
  return key === "all" || rows.some((row) => row.id !== except && row.name.toLowerCase() === key);
}

/** Saves filters and order under a name. */
export async function createView(
  tx: Prisma.TransactionClient,
  shopId: number,
  { name, query }: { name: string; query: ListQuery },
): Promise<Omit<SavedView, "name"> | Failure> {
  await serializeInShop(tx, shopId, "wishlist_view");
  if (await isTaken(tx, shopId, name)) return taken(name);
  if ((await tx.wishlistView.count({ where: { shopId } })) >= MAX_VIEWS) {
    return new Failure("invalid_request", `A shop has at most ${MAX_VIEWS} views. Delete one first.`);
  }
  const search = toSearch(query).toString();
  const { id } = await tx.wishlistView.create({ data: { shopId, name, query: search, createdAt: now() } });
  return { id: String(id), search };
}

/** @returns the name before */
export async function renameView(
  tx: Prisma.TransactionClient,
  shopId: number,
  { id, name }: { id: bigint; name: string },
): Promise<{ before: string } | Failure> {
  await serializeInShop(tx, shopId, "wishlist_view");
  const view = await tx.wishlistView.findUnique({ where: { shopId_id: { shopId, id } } });
  if (!view) return gone();
  if (await isTaken(tx, shopId, name, id)) return taken(name);
  await tx.wishlistView.update({ where: { shopId_id: { shopId, id } }, data: { name } });
  return { before: view.name };
}

/** Replaces the filters and the order of a view. @returns its name */
export async function updateView(
  tx: Prisma.TransactionClient,
  shopId: number,
  { id, query }: { id: bigint; query: ListQuery },
): Promise<{ name: string } | Failure> {
  const [view] = await tx.wishlistView.updateManyAndReturn({
    where: { shopId, id },
    data: { query: toSearch(query).toString() },
  });
  return view ? { name: view.name } : gone();
}

/** @returns the deleted view's name */
export async function deleteView(
  tx: Prisma.TransactionClient,
  shopId: number,
  id: bigint,
): Promise<{ name: string } | Failure> {
  const view = await tx.wishlistView.findUnique({ where: { shopId_id: { shopId, id } } });
  if (!view) return gone();
  await tx.wishlistView.deleteMany({ where: { shopId, id } });
  return { name: view.name };
}
