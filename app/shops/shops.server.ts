import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database/database.server.ts";
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

interface Row {
  id: bigint;
  domain: string;
  plan: string;
  timeZone: string;
  currency: string | null;
  storeId: string | null;
  customerNames: boolean;
  ordersReportedSince: Date | null;
  installedAt: Date;
  uninstalledAt: Date | null;
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
