import { z } from "zod";

// Fields that the data of several events have, and their made-up values.

export const customerId = z.string().meta({ description: "The customer's id in the store", example: "7012503486663" });
export const listId = z.string().meta({ description: "`default` for the customer's wishlist", example: "default" });
export const time = z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-20T09:30:00.000Z" });

export const item = {
  customerId,
  productId: z.string().meta({ example: "8401930311165" }),
  variantId: z.string().meta({ example: "44003118551387" }),
  listId,
};

export const TEST_CUSTOMER = "test-customer";
export const TEST_ITEM = {
  customerId: TEST_CUSTOMER,
  productId: "test-product",
  variantId: "test-variant",
  listId: "default",
};
