import type { z } from "zod";
import type { dailySchema, overviewSchema } from "./schemas.ts";

// View models of the analytics pages. Types only, so that browser code can import them.

export type Overview = z.infer<typeof overviewSchema>;
export type Day = z.infer<typeof dailySchema>["days"][number];

/** Overview of a period. The active shoppers of one that began before they were counted are null unless a job recorded them. */
export type PastOverview = Omit<Overview, "activeShoppers"> & { activeShoppers: number | null };

export interface Activity {
  /** whether the shop has any activity, at any time */
  began: boolean;
  overview: PastOverview;
  /** oldest first, without those before counting began */
  days: readonly Day[];
  /** the day on which counting began, where it cuts the period */
  since: string | undefined;
  /**
   * the previous period, when requested and covered by data. `until` is the time of the shop's clock at which the last day is cut, as today is; undefined
   * when the period is over or the day's hours were not counted
   */
  before: { overview: PastOverview; days: readonly Day[]; until: string | undefined } | undefined;
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
  /** oldest first, without those before counting began */
  days: readonly ProductDay[];
  /** the day on which counting began, where it cuts the period */
  since: string | undefined;
  /** saved variants: those out of stock first, then by saves */
  variants: readonly WantedVariant[];
  /** whether more variants exist */
  moreVariants: boolean;
}

/** What one kind of owner changed in a period, through one surface. */
export interface UsageGroup {
  ownerKind: "customer" | "guest";
  source: "api" | "storefront" | "cart" | "merge";
  itemsAdded: number;
  itemsRemoved: number;
  addToCartFromWishlist: number;
  /** share links created */
  shared: number;
}

export interface Usage {
  /** the items saved in the period, and how many of them have been added to a cart since */
  cohort: { saved: number; addedToCart: number };
  groups: readonly UsageGroup[];
  /** of share links */
  views: number;
  /** the day since which groups and views are counted, where it cuts the period */
  since: string | undefined;
}

export type CohortUnit = "week" | "month";

/** The shoppers who first saved an item in a week or month, as far as it is in the period. */
export interface Cohort {
  /** first and last day */
  first: string;
  last: string;
  shoppers: number;
  /** those of them who are customers */
  customers: number;
  /** those who were active on a later day, up to now */
  returned: number;
  /** the customers who ordered something that they had saved, up to now */
  bought: number;
  /** those who were active in the first, second, … week or month after that one, up to the present one */
  later: readonly number[];
  /** whether the last of these is the present week or month, which is not over */
  isLastPartial: boolean;
}

/** The shoppers who first saved an item in a period. */
export interface Cohorts {
  unit: CohortUnit;
  /** oldest first */
  cohorts: readonly Cohort[];
  /** the day since which they are counted, where it cuts the period */
  since: string | undefined;
}

/** Data of the analytics page's cards; undefined for a card whose query failed. */
export interface Dashboard {
  /** the shop's calendar day */
  today: string;
  /** why the chosen dates can't be shown */
  problem: string | undefined;
  activity: Activity | undefined;
  usage: Usage | undefined;
  cohorts: Cohorts | undefined;
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
  /** in the shop's currency, with its decimals */
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
  /** oldest first, without those before the first counted order */
  days: readonly RevenueDay[];
  /** the day of the first counted order, where it cuts the period */
  since: string | undefined;
  /** the previous period, when requested and counted from its first day. `until` as in `Activity` */
  before: { sums: RevenueSums; days: readonly RevenueDay[]; until: string | undefined } | undefined;
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
  /** in the shop's currency, with its decimals */
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
