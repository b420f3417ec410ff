import { z } from "zod";
import { item, TEST_ITEM, time } from "./fields.ts";
import { field, ITEM, optional } from "./flow-trigger.ts";
import { event, type TestContext } from "./record.ts";

const ALERT_KINDS = ["back_in_stock", "price_dropped", "low_stock", "reminder_due"] as const;

const inventory = z.int().meta({ description: "What the store has of the variant", example: 3 });
const price = z.string().meta({ description: "The price now, in `currency`", example: "79.00" });
const compareAtPrice = z.string().nullable().meta({ example: "109.00" });
const previousPrice = z.string().meta({
  description: "The lower of the price when the item was saved and that of the last alert",
  example: "99.00",
});

const formattedPrice = z.string().meta({ description: "`price` in the customer's language", example: "€79.00" });
const formattedCompareAtPrice = z.string().nullable().meta({ example: "€109.00" });
const formattedPreviousPrice = z.string().meta({ example: "€99.00" });
const variantTitle = z.string().nullable().meta({ description: "`null` for a product without options", example: "M" });

/** What an alert tells of one variant. */
const alertItem = z.strictObject({
  variantId: item.variantId,
  variantTitle,
  listId: item.listId,
  kinds: z
    .array(z.enum(ALERT_KINDS))
    .meta({ description: "What has happened to the variant", example: ["price_dropped"] }),
  price,
  previousPrice: previousPrice.nullable().meta({ description: "Where the price fell", example: "99.00" }),
  compareAtPrice,
  formattedPrice,
  formattedPreviousPrice: formattedPreviousPrice.nullable(),
  formattedCompareAtPrice,
  inventory: inventory.nullable(),
  savedAt: time,
});

const alert = {
  ...item,
  alertId: z
    .string()
    .meta({ description: "The same for all deliveries of the alert", example: "0192f3a8-4c1e-7b2a-9d3f-5e6a7b8c9d0e" }),
  requested: z.boolean().meta({
    description: "Whether the customer asked for an alert about this variant, once",
    example: false,
  }),
  consent: z.strictObject({
    basis: z.enum(["shopper", "none"]).meta({
      description:
        "`shopper`: the customer asked for alerts of this kind, or for this one; `none`: the merchant answers for the consent",
    }),
    givenAt: time.nullable(),
  }),
  currency: z.string().meta({ example: "EUR" }),
  url: z.url().meta({
    description: "Leads to the product, and records that the alert was opened",
    example: "https://larkfell-outdoor.myshopify.com/apps/wishlist/alerts/0192f3a8-4c1e-7b2a-9d3f-5e6a7b8c9d0e",
  }),
  withdrawUrl: z.url().meta({
    description: "Where the customer ends alerts of this kind, without login",
    example:
      "https://larkfell-outdoor.myshopify.com/apps/wishlist/alerts/0192f3a8-4c1e-7b2a-9d3f-5e6a7b8c9d0e/withdraw",
  }),
  price,
  compareAtPrice,
  formattedPrice,
  formattedCompareAtPrice,
  productTitle: z.string().meta({ example: "Northcote Parka" }),
  variantTitle,
  handle: z.string().meta({ description: "The product's handle in the store", example: "northcote-parka" }),
  productUrl: z.url().meta({
    description: "The product in the store with the variant chosen. Unlike `url`, it records nothing",
    example: "https://larkfell-outdoor.myshopify.com/products/northcote-parka?variant=44003118551387",
  }),
  imageUrl: z.url().nullable().meta({
    description: "The product's picture",
    example: "https://cdn.shopify.com/s/files/1/0000/0001/files/northcote-parka.jpg",
  }),
  locale: z.string().nullable().meta({
    description:
      "Language of the text to which the customer agreed; `null` where it is unknown, and prices are in English",
    example: "en",
  }),
  customer: z
    .strictObject({
      name: z.string().meta({ example: "Anna Berg" }),
      email: z.string().nullable().meta({ example: "anna.berg@example.com" }),
    })
    .nullable()
    .meta({
      description:
        "Read from Shopify for each delivery; `null` unless the shop has granted `read_customers`, or when Shopify did not respond in time",
    }),
  items: z.array(alertItem).min(1).max(100).meta({
    description:
      "The variants of the product of which the alert tells, at most 100: those saved last. The fields beside it are those of the first",
  }),
};

function testAlert(
  { at, store }: TestContext,
  kind: (typeof ALERT_KINDS)[number],
  {
    previousPrice: before = null,
    inventory: left = null,
  }: { previousPrice?: string | null; inventory?: number | null } = {},
) {
  const { variantId, listId: savedIn } = TEST_ITEM;
  const prices = { price: "80.00", compareAtPrice: null, formattedPrice: "€80.00", formattedCompareAtPrice: null };
  const alertId = "test-alert";
  const url = `${store}/alerts/${alertId}`;
  const consent = { basis: "shopper" as const, givenAt: at };
  const title = { variantTitle: "Test variant" };
  return {
    ...TEST_ITEM,
    ...{ alertId, requested: false, consent, currency: "EUR", url, withdrawUrl: `${url}/withdraw` },
    ...prices,
    ...title,
    productTitle: "Test product",
    handle: "test-product",
    productUrl: "https://example.com/products/test-product?variant=test-variant",
    imageUrl: null,
    locale: "en",
    customer: { name: "Test customer", email: "test@example.com" },
    items: [
      {
        ...{ variantId, ...title, listId: savedIn, kinds: [kind], ...prices },
        previousPrice: before,
        formattedPreviousPrice: before === null ? null : "€100.00",
        ...{ inventory: left, savedAt: at },
      },
    ],
  };
}

const FIELDS = [
  ...ITEM,
  field("number_decimal", "Price", "The price now", "price"),
  field("single_line_text_field", "Currency", "Currency of the price, such as EUR", "currency"),
  field("url", "Product link", "Leads to the product and records that the message was opened", "url"),
  field("url", "Withdraw link", "Where the customer ends these messages, without login", "withdrawUrl"),
  field(
    "single_line_text_field",
    "Consent",
    "shopper: the customer has asked for it; none: you answer for the consent",
    "consent.basis",
  ),
  optional("Product title", "Title of the product", "productTitle"),
  optional("Variant title", "Title of the variant, such as M", "variantTitle"),
  optional("Variants", "Titles of all variants of the product that the message is about", "items.variantTitle"),
  optional("Picture", "Address of the picture of the product", "imageUrl"),
  optional("Product page", "Address of the product in the store", "productUrl"),
  optional("Formatted price", "The price now, such as €79.00", "formattedPrice"),
  optional("Formatted compare at price", "The price that is struck through, if any", "formattedCompareAtPrice"),
  optional("Language", "Language of the customer, such as en, where it is known", "locale"),
];

const FORMATTED_PREVIOUS_PRICE = optional(
  "Formatted previous price",
  "The price that the customer has seen, such as €99.00, where it fell",
  "formattedPreviousPrice",
);

/** Events of which a customer may be told: `wishlist.alert.<kind>`. */
export const ALERT_EVENTS = [
  event({
    name: "wishlist.alert.price_dropped",
    meaning: "The price of a saved variant fell",
    label: "Alert: price drop",
    help: "The price of a saved product falls. Turn alerts on first, on the Alerts page.",
    data: z.strictObject({ ...alert, previousPrice, formattedPreviousPrice }),
    test: (context) => ({
      ...testAlert(context, "price_dropped", { previousPrice: "100.00" }),
      previousPrice: "100.00",
      formattedPreviousPrice: "€100.00",
    }),
    trigger: {
      handle: "wishlist-price-dropped",
      name: "Price of a saved item dropped",
      description: "The price of a product falls that the customer has saved and wants to hear about.",
      uid: "2ac4a6e4-2375-1b13-9682-c0f27fffb8768aa18cd8",
      fields: [
        ...FIELDS,
        field("number_decimal", "Previous price", "The price that the customer has seen", "previousPrice"),
        FORMATTED_PREVIOUS_PRICE,
      ],
    },
  }),
  event({
    name: "wishlist.alert.back_in_stock",
    meaning: "A saved variant can be bought again",
    label: "Alert: back in stock",
    help: "A saved product can be bought again.",
    data: z.strictObject({
      ...alert,
      inventory: inventory.nullable(),
      previousPrice: previousPrice.nullable().meta({ description: "Where the price fell as well", example: "99.00" }),
      formattedPreviousPrice: formattedPreviousPrice.nullable(),
    }),
    test: (context) => ({
      ...testAlert(context, "back_in_stock"),
      inventory: null,
      previousPrice: null,
      formattedPreviousPrice: null,
    }),
    trigger: {
      handle: "wishlist-back-in-stock",
      name: "Saved item back in stock",
      description: "A product can be bought again that the customer has saved and wants to hear about.",
      uid: "506e2322-eddb-aae5-22b8-74e8cf2d404ef31b2470",
      fields: [...FIELDS, FORMATTED_PREVIOUS_PRICE],
    },
  }),
  event({
    name: "wishlist.alert.low_stock",
    meaning: "Few are left of a saved variant",
    label: "Alert: low stock",
    help: "Few are left of a saved product.",
    data: z.strictObject({ ...alert, inventory }),
    test: (context) => ({ ...testAlert(context, "low_stock", { inventory: 3 }), inventory: 3 }),
    trigger: {
      handle: "wishlist-low-stock",
      name: "Saved item low in stock",
      description: "Few are left of a product that the customer has saved and wants to hear about.",
      uid: "e1124aa8-78a1-7478-4114-40abe223d4756a87c6fb",
      fields: [...FIELDS, field("number_decimal", "Inventory", "What the store has left", "inventory")],
    },
  }),
  event({
    name: "wishlist.alert.reminder_due",
    meaning: "A variant was saved a while ago",
    label: "Alert: reminder",
    help: "A customer saved a product a while ago and has not bought it.",
    data: z.strictObject({ ...alert, savedAt: time }),
    test: (context) => ({ ...testAlert(context, "reminder_due"), savedAt: context.at }),
    trigger: {
      handle: "wishlist-reminder-due",
      name: "Reminder of a saved item due",
      description: "A customer who wants to be reminded saved a product a while ago.",
      uid: "3b08e30f-0773-995c-5ce8-504d2e15591e79284152",
      fields: [...FIELDS, field("single_line_text_field", "Saved at", "When the customer saved it", "savedAt")],
    },
  }),
];
