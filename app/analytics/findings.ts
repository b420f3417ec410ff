import type { z } from "zod";
import type { dailySchema, overviewSchema } from "./schemas.ts";

// View models of the analytics pages. Types only, so that browser code can import them.

export type Overview = z.infer<typeof overviewSchema>;
export type Day = z.infer<typeof dailySchema>["days"][number];

/** Overview of a past period. Its active shoppers are null unless the hourly job recorded them. */
export type PastOverview = Omit<Overview, "activeShoppers"> & { activeShoppers: number | null };

export interface Activity {
  /** whether the shop has any activity, at any time */
  began: boolean;
  overview: Overview;
  /** oldest first, today last */
  days: readonly Day[];
  /** the previous period, when requested and covered by data */
  before: { overview: PastOverview; days: readonly Day[] } | undefined;
  /** requested, but the app was not installed throughout the previous period */
  beforeUnknown: boolean;
}

/** A product with its title from the catalog cache. */
export interface NamedProduct {
  productId: string;
  /** null: not in the catalog cache */
  title: string | null;
  imageUrl: string | null;
  /** deleted in the store */
  deleted: boolean;
}

export interface RankedProduct extends NamedProduct {
  wishlistCount: number;
}

export interface OutOfStock {
  /** how many of the most saved products were searched; undefined: all */
  among: number | undefined;
  /** most saved first */
  variants: readonly {
    productId: string;
    productTitle: string;
    imageUrl: string | null;
    variantId: string;
    title: string;
    price: string;
    wishlistCount: number;
  }[];
}

export interface WantedVariant {
  variantId: string;
  /** null: not in the catalog cache */
  title: string | null;
  /** in the store's currency, such as "19.90" */
  price: string | null;
  stock: "available" | "unavailable" | "deleted" | "unknown";
  wishlistCount: number;
}

export type ProductDay = Omit<Day, "uniqueShoppers">;

export interface ProductFindings {
  product: NamedProduct;
  wishlistCount: number;
  /** of saved items in the period; undefined while no order of the shop has been counted */
  revenue: Omit<ProductRevenue, "productId"> | undefined;
  /** oldest first, today last */
  days: readonly ProductDay[];
  /** saved variants: those out of stock first, then by saves */
  variants: readonly WantedVariant[];
  /** whether more variants exist */
  moreVariants: boolean;
}

/** Data of the analytics page's cards; undefined for a card whose query failed. */
export interface Dashboard {
  activity: Activity | undefined;
  top: readonly RankedProduct[] | undefined;
  wanted: OutOfStock | undefined;
  revenue: Revenue | undefined;
}

/** What wishlists earned in a period. */
export interface RevenueTotals {
  /** all orders, without cancelled ones and test orders */
  orders: number;
  /** orders with at least one saved item */
  savedOrders: number;
  /** of saved items, without refunded ones */
  units: number;
  /** in the shop's currency, with two decimals */
  revenue: string;
}

export interface RevenueSums extends RevenueTotals {
  /** percentage of orders with a saved item */
  savedOrderRate: number;
}

export interface RevenueDay extends RevenueTotals {
  date: string;
}

export interface ProductRevenue {
  productId: string;
  orders: number;
  units: number;
  revenue: string;
}

export type EarningProduct = ProductRevenue & NamedProduct;

export interface Revenue {
  /** day of the first counted order; null before it */
  first: string | null;
  sums: RevenueSums;
  /** oldest first, today last */
  days: readonly RevenueDay[];
  /** the previous period, when requested and counted from its first day */
  before: { sums: RevenueSums; days: readonly RevenueDay[] } | undefined;
  /** requested, but orders were not counted throughout the previous period */
  beforeUnknown: boolean;
  /** those with the highest revenue */
  products: readonly EarningProduct[];
}

/** What wishlists earned in the last days. */
export interface Earned {
  /** day of the first counted order; null before it */
  first: string | null;
  sums: RevenueSums;
}

/** What is saved now, at the present prices. */
export interface SavedValue {
  items: number;
  /** in the shop's currency, with two decimals */
  value: string;
  /** how many of the most saved products were counted; undefined: all */
  among: number | undefined;
}

/** Figures of the home page; undefined for one whose query failed. */
export interface HomeFigures {
  /** whether the shop has any activity, at any time */
  began: boolean | undefined;
  /** oldest first, today last */
  days: readonly Day[] | undefined;
  earned: Earned | undefined;
  saved: SavedValue | undefined;
  wanted: OutOfStock | undefined;
}
