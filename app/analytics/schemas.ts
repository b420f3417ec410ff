import { z } from "zod";
import { integerParameter } from "../platform/text/integer-parameter.ts";

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
      .array(z.strictObject({ productId: z.string().meta({ example: "8401930311165" }), wishlistCount }))
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

export const revenueQuery = z.strictObject({ ...daysQuery.shape, ...topProductsQuery.shape });

const revenueText = z.string().meta({
  description: "What was paid for saved items after discounts, without refunds, in `currency`",
  example: "1284.50",
});

const savedUnits = z.int().meta({ description: "Units of saved items, without refunded ones", example: 23 });

const orderCounts = {
  orders: z.int().meta({ description: "All orders, without cancelled ones", example: 120 }),
  savedOrders: z.int().meta({ description: "Orders with at least one saved item", example: 18 }),
};

export const revenueSchema = z
  .strictObject({
    currency: z.string().nullable().meta({
      description: "The shop's currency; orders in another one, from before a change, are excluded",
      example: "EUR",
    }),
    countedSince: z.iso.date().nullable().meta({
      description: "Day of the first counted order; null before it",
      example: "2026-11-01",
    }),
    ...orderCounts,
    savedOrderRate: z.number().meta({ description: "Percentage of orders with a saved item", example: 15 }),
    units: savedUnits,
    revenue: revenueText,
    days: z
      .array(
        z
          .strictObject({
            date: z.iso.date().meta({ description: "Calendar day in the shop's time zone", example: "2026-11-20" }),
            ...orderCounts,
            units: savedUnits,
            revenue: revenueText,
          })
          .meta({ id: "RevenueDay" }),
      )
      .meta({ description: "Every day of the period, oldest first, today last" }),
    products: z
      .array(
        z
          .strictObject({
            productId: z.string().meta({ example: "8401930311165" }),
            orders: z.int().meta({ description: "Orders in which it was a saved item", example: 4 }),
            units: savedUnits,
            revenue: revenueText,
          })
          .meta({ id: "ProductRevenue" }),
      )
      .meta({ description: "Highest revenue first, at most `limit`" }),
  })
  .meta({ id: "Revenue" });
