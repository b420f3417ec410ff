import { z } from "zod";
import { item, TEST_ITEM, time } from "./fields.ts";
import { CUSTOMER, field, LIST, ORDER, PRODUCT } from "./flow-trigger.ts";
import { event } from "./record.ts";

/** Events about orders. */
export const ORDER_EVENTS = [
  event({
    name: "wishlist.item.bought",
    meaning: "A customer ordered a variant that was saved before; requires `read_orders`",
    label: "Item bought",
    help: "A customer orders a saved product. Allow the app to read orders first, on the Analytics page.",
    data: z.strictObject({
      ...item,
      orderId: z.string().meta({ description: "The order's id in the store", example: "5801004015871" }),
      quantity: z.int().meta({ description: "Units of the order's line", example: 1 }),
      revenue: z.string().meta({ description: "What was paid for them, after discounts", example: "79.00" }),
      currency: z.string().meta({ description: "The store's currency", example: "EUR" }),
      requested: z.boolean().meta({
        description:
          "Whether the customer had the variant in no list, and had asked for an alert about it, for example without an account: then `listId` is `default`, and `savedAt` the time of the request",
        example: false,
      }),
      savedAt: time,
    }),
    test: ({ at }) => ({
      ...TEST_ITEM,
      orderId: "test-order",
      quantity: 1,
      revenue: "80.00",
      currency: "EUR",
      requested: false,
      savedAt: at,
    }),
    trigger: {
      handle: "wishlist-item-bought",
      name: "Saved item bought",
      description: "A customer orders a product that was on a wishlist before. The app must be allowed to read orders.",
      uid: "fcff171c-bd1d-9e38-e82b-efd9372587e355715eba",
      fields: [
        CUSTOMER,
        PRODUCT,
        ORDER,
        field("single_line_text_field", "Variant ID", "Shopify's id of the bought variant", "variantId"),
        LIST,
        field("number_decimal", "Quantity", "Units of the order's line", "quantity"),
        field("number_decimal", "Revenue", "What was paid for them, after discounts", "revenue"),
        field("single_line_text_field", "Currency", "The store's currency, such as EUR", "currency"),
      ],
    },
  }),
];
