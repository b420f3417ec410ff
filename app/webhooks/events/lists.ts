import { z } from "zod";
import { emittedDetails } from "../../wishlists/items/details.ts";
import { customerId, item, TEST_CUSTOMER, TEST_ITEM } from "./fields.ts";
import { event } from "./record.ts";

const list = {
  customerId,
  listId: z.string().meta({ example: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" }),
  name: z.string().meta({ description: "The list's name", example: "Birthday" }),
};

const TEST_LIST = { customerId: TEST_CUSTOMER, listId: "lst_test", name: "Test list" };

/** Events about a customer's lists and the details of items. */
export const LIST_EVENTS = [
  event({
    name: "wishlist.item.updated",
    meaning: "Details of an item were changed, or it was moved to another list",
    label: "Item changed",
    help: "A customer changes the quantity, note or other details of a saved product, or moves it to another list.",
    data: z.strictObject({
      ...item,
      ...emittedDetails,
      previousListId: z.string().optional().meta({
        description: "The list from which the item was moved; only after a move",
        example: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
      }),
    }),
    test: () => ({ ...TEST_ITEM, quantity: 2 }),
  }),
  event({
    name: "wishlist.list.created",
    meaning: "A named list was created, or a deleted one restored",
    label: "List created",
    help: "A customer creates a named list.",
    data: z.strictObject(list),
    test: () => TEST_LIST,
  }),
  event({
    name: "wishlist.list.renamed",
    meaning: "A list was renamed",
    label: "List renamed",
    help: "A customer renames a list.",
    data: z.strictObject({ ...list, previousName: z.string().meta({ example: "Presents" }) }),
    test: () => ({ ...TEST_LIST, previousName: "Test" }),
  }),
  event({
    name: "wishlist.list.deleted",
    meaning: "A list was deleted, after one `wishlist.item.removed` for each item",
    label: "List deleted",
    help: "A customer deletes a named list. Its products are sent as removed.",
    data: z.strictObject(list),
    test: () => TEST_LIST,
  }),
];
