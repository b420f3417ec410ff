import { z } from "zod";
import { customerId, item, listId, TEST_CUSTOMER, TEST_ITEM, time } from "./fields.ts";
import { CUSTOMER, field, ITEM, LIST } from "./flow-trigger.ts";
import { event } from "./record.ts";

const TEST_LINK_MS = 30 * 24 * 3_600_000;

/** Events about saved items, and about sharing them. */
export const WISHLIST_EVENTS = [
  event({
    name: "wishlist.item.added",
    meaning: "An item was added to a customer's list",
    label: "Item saved",
    help: "A customer saves a product. Products that a guest saved are sent when the guest logs in.",
    data: z.strictObject(item),
    test: () => TEST_ITEM,
    trigger: {
      handle: "wishlist-item-saved",
      name: "Item saved",
      description: "A customer saves a product to a wishlist.",
      uid: "9e3aa826-4241-0659-ec76-3134cbacdacc6a7b730c",
      fields: ITEM,
    },
  }),
  event({
    name: "wishlist.item.removed",
    meaning: "An item was removed from a customer's list, also with its list",
    label: "Item removed",
    help: "A customer or a staff member removes a product from a wishlist.",
    data: z.strictObject(item),
    test: () => TEST_ITEM,
    trigger: {
      handle: "wishlist-item-removed",
      name: "Item removed",
      description: "A customer removes a product from a wishlist.",
      uid: "e9f8bacd-5d78-3fe8-2288-5e8d54f4ee5d82abadbe",
      fields: ITEM,
    },
  }),
  event({
    name: "wishlist.shared",
    meaning: "A share link was created",
    label: "Wishlist shared",
    help: "A customer creates a share link. The message includes the link.",
    data: z.strictObject({
      customerId,
      shareUrl: z
        .url()
        .meta({ example: "https://larkfell-outdoor.myshopify.com/apps/wishlist/shared/5fPq2mN8yV3xK7wZ1tR6s" }),
      expiresAt: time,
      itemCount: z.int().meta({ description: "Items in the list at that time", example: 3 }),
      listId,
    }),
    test: ({ at, store }) => ({
      customerId: TEST_CUSTOMER,
      shareUrl: `${store}/shared/test`,
      expiresAt: new Date(Date.parse(at) + TEST_LINK_MS).toISOString(),
      itemCount: 1,
      listId: "default",
    }),
    trigger: {
      handle: "wishlist-shared",
      name: "Wishlist shared",
      description: "A customer creates a link to a wishlist.",
      uid: "a0f2d4e5-96dc-ee8b-b75f-95bff8d8d171c054d200",
      fields: [
        CUSTOMER,
        field("url", "Share link", "The link that the customer shares", "shareUrl"),
        field("number_decimal", "Item count", "Items in the list", "itemCount"),
        LIST,
      ],
    },
  }),
];
