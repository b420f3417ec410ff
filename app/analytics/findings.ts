import type { z } from "zod";
import type { dailySchema, overviewSchema } from "./schemas.ts";

// What the pages of the admin show: types alone, for pages and readers.

export type Overview = z.infer<typeof overviewSchema>;
export type Day = z.infer<typeof dailySchema>["days"][number];

/** Of a period that is over. Its active shoppers were kept in the night after it, or are not known. */
export type PastOverview = Omit<Overview, "activeShoppers"> & { activeShoppers: number | null };

export interface Activity {
  /** something has happened, be it before this period */
  began: boolean;
  overview: Overview;
  /** oldest first, today last */
  days: readonly Day[];
  /** the period before, when asked for and known */
  before: { overview: PastOverview; days: readonly Day[] } | undefined;
  /** asked for, but the app was not installed on all of its days */
  beforeUnknown: boolean;
}

/** A product as far as the store's catalogue has it. */
export interface NamedProduct {
  productId: string;
  /** null: the catalogue does not know it */
  title: string | null;
  imageUrl: string | null;
  /** it was in the catalogue once and is no longer */
  deleted: boolean;
}

export interface RankedProduct extends NamedProduct {
  wishlistCount: number;
}

export interface OutOfStock {
  /** so many of the most saved products were looked through; undefined: all were */
  among: number | undefined;
  /** the most wanted first */
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
  /** null: the catalogue does not know it */
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
  /** oldest first, today last */
  days: readonly ProductDay[];
  /** those that are saved now: out of stock before the rest, each the most wanted first */
  variants: readonly WantedVariant[];
  /** there are more variants than these */
  moreVariants: boolean;
}

/** The cards of the analytics page. What could not be read is undefined, and leaves the rest. */
export interface Dashboard {
  activity: Activity | undefined;
  top: readonly RankedProduct[] | undefined;
  wanted: OutOfStock | undefined;
}
