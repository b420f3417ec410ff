import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma, run, runOne, statement } from "../platform/database/database.server.ts";
import { planSchema, type Plan } from "../billing/plans.ts";
import type { StoreMoney } from "./money-format.ts";

/** A host name: labels of letters, digits and hyphens (RFC 1123), at least two of them. */
export const shopDomainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    "is not a host name such as my-shop.myshopify.com",
  );

export interface Shop {
  id: number;
  domain: string;
  plan: Plan;
  timeZone: string;
  /** ISO 4217 currency of the catalog's prices; null until the first refresh from Shopify */
  currency: string | null;
  /** Shopify's numeric shop id; null until the first refresh from Shopify */
  storeId: string | null;
  /** whether the admin shows customers' names */
  customerNames: boolean;
  /** since when Shopify reports the store's orders to the app; null while it does not */
  ordersReportedSince: Date | null;
  installedAt: Date;
  uninstalledAt: Date | null;
}

interface Row extends Omit<Shop, "id" | "plan"> {
  id: bigint;
  plan: string;
}

function toShop({ id, plan, ...row }: Row): Shop {
  const { domain, timeZone, currency, storeId, customerNames, ordersReportedSince, installedAt, uninstalledAt } = row;
  return {
    id: Number(id),
    plan: planSchema.parse(plan),
    ...{ domain, timeZone, currency, storeId, customerNames, ordersReportedSince, installedAt, uninstalledAt },
  };
}

/** @returns undefined when the shop exists already */
export async function createShop(shop: { domain: string; plan: Plan; timeZone: string }): Promise<Shop | undefined> {
  const { count } = await prisma().shop.createMany({ data: [{ ...shop, installedAt: now() }], skipDuplicates: true });
  return count === 0 ? undefined : findShop(shop.domain);
}

export async function findShop(domain: string): Promise<Shop | undefined> {
  const row = await prisma().shop.findUnique({ where: { domain } });
  return row ? toShop(row) : undefined;
}

/** @returns undefined for a shop that is unknown or has uninstalled the app */
export async function findInstalled(id: number): Promise<Shop | undefined> {
  const row = await prisma().shop.findFirst({ where: { id, uninstalledAt: null } });
  return row ? toShop(row) : undefined;
}

/** Returns how the store writes prices. */
export async function readStoreMoney(id: number): Promise<StoreMoney> {
  const row = await prisma().shop.findUnique({ where: { id }, select: { moneyFormat: true, currency: true } });
  return row ?? { moneyFormat: null, currency: null };
}

/** Lists all shops by domain. */
export async function listShops(): Promise<Shop[]> {
  return (await prisma().shop.findMany({ orderBy: { domain: "asc" } })).map(toShop);
}

/** @returns the shop and its plan before; undefined for an unknown shop */
export async function setPlan(
  tx: Prisma.TransactionClient,
  shopId: number,
  plan: Plan,
): Promise<{ shop: Shop; before: Plan } | undefined> {
  const [known] = await tx.$queryRaw<{ plan: string }[]>`
    SELECT plan, id AS shop_id FROM shop WHERE id = ${shopId} FOR NO KEY UPDATE`;
  const [row] = await tx.shop.updateManyAndReturn({ where: { id: shopId }, data: { plan } });
  return known && row && { shop: toShop(row), before: planSchema.parse(known.plan) };
}

const readStatement = statement<{ store_path: string }>("store_path", "SELECT store_path FROM shop WHERE id = $1");

/** Returns the path of the app proxy in a store, such as `/apps/wishlist`, as the store's last signed request had it. */
export async function readStorePath(shopId: number): Promise<string> {
  return (await runOne(readStatement, [shopId])).store_path;
}

const recordStatement = statement<Record<string, never>>(
  "store_path_record",
  "UPDATE shop SET store_path = $2 WHERE id = $1 AND store_path <> $2",
);

/** Records the path of the app proxy in a store, to which links in events lead. @param path from a signed request */
export async function recordStorePath(shopId: number, path: string): Promise<void> {
  await run(recordStatement, [shopId, path]);
}
