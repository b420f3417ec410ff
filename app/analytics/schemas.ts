import { z } from "zod";
import { integerParameter } from "../platform/integer-parameter.ts";

export const daysQuery = z.strictObject({
  days: integerParameter({
    min: 1,
    max: 365,
    fallback: 30,
    description: "Days to include, in the shop's time zone, including today",
    example: 30,
  }),
});

export const topProductsQuery = z.strictObject({
  limit: integerParameter({ min: 1, max: 100, fallback: 10, description: "Maximum number of products", example: 10 }),
});

export const overviewSchema = z
  .strictObject({
    totalWishlistedItems: z.int().meta({
      description: "Items added minus items removed in the period; negative when more were removed",
      example: 412,
    }),
    activeShoppers: z.int().meta({ description: "Distinct shoppers who used a wishlist in the period", example: 187 }),
    wishlistToCartRate: z.number().meta({
      description:
        "Percentage of the items saved in the period that have been added to a cart since; 0 when no items were saved",
      example: 18.37,
    }),
  })
  .meta({ id: "AnalyticsOverview" });

const wishlistCount = z
  .int()
  .meta({ description: "Wishlist items that currently contain the product; each saved variant counts", example: 96 });

export const topProductsSchema = z
  .strictObject({
    products: z
      .array(z.strictObject({ productId: z.string().meta({ example: "8261504012487" }), wishlistCount }))
      .meta({ description: "Most saved first; products that are in no wishlist are omitted" }),
  })
  .meta({ id: "TopProducts" });

export const productStatsSchema = z.strictObject({ wishlistCount }).meta({ id: "ProductStats" });

const dailyEntrySchema = z
  .strictObject({
    date: z.iso.date().meta({ description: "Calendar day in the shop's time zone", example: "2026-11-20" }),
    itemsAdded: z.int().meta({ example: 31 }),
    itemsRemoved: z.int().meta({ example: 12 }),
    uniqueShoppers: z.int().meta({ description: "Distinct shoppers who used a wishlist on this day", example: 24 }),
    addToCartFromWishlist: z.int().meta({ description: "Saved items that were added to a cart", example: 5 }),
  })
  .meta({ id: "AnalyticsDay" });

export const dailySchema = z
  .strictObject({
    days: z.array(dailyEntrySchema).meta({ description: "Every day of the period, oldest first, today last" }),
  })
  .meta({ id: "DailyBreakdown" });
