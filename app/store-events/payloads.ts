import { z } from "zod";
import type { PrivacyKind } from "../privacy/index.server.ts";
import { shopDomainSchema } from "../shops/index.server.ts";

/*
 * The bodies of Shopify's webhooks. Shopify signs the body only: the topic, the shop, the delivery's id and its time are unsigned headers.
 * A signed body must therefore prove its topic. Every schema requires the fields that only its topic has and rejects the fields of other topics.
 * Other fields are not read: titles, addresses and telephone numbers are never stored.
 */

/** The webhook topics that the app subscribes to, as Shopify's library names them. */
export type Topic =
  | "APP_UNINSTALLED"
  | "APP_SCOPES_UPDATE"
  | "APP_SUBSCRIPTIONS_UPDATE"
  | "PRODUCTS_CREATE"
  | "PRODUCTS_UPDATE"
  | "PRODUCTS_DELETE"
  | "INVENTORY_LEVELS_UPDATE"
  | "ORDERS_CREATE"
  | "ORDERS_EDITED"
  | "ORDERS_CANCELLED"
  | "REFUNDS_CREATE"
  | "CUSTOMERS_DATA_REQUEST"
  | "CUSTOMERS_REDACT"
  | "SHOP_REDACT";

/** The report of a webhook. */
export type Report =
  | { what: "uninstalled" }
  | { what: "scopes" }
  | { what: "subscription" }
  | { what: "erase_shop" }
  | { what: "product"; productId: string }
  | { what: "inventory"; inventoryItemId: string }
  | { what: "order"; orderId: string; customerId: string | undefined; isNew: boolean }
  | {
      what: "privacy";
      kind: PrivacyKind;
      customerId: string;
      email: string | undefined;
      shopifyRequestId: string | undefined;
    };

/** The shop that a body names. Bodies of some topics name no shop. */
interface NamedShop {
  domain?: string;
  /** Shopify's numeric id */
  storeId?: string;
}

// Ids of Shopify's sample webhooks exceed 2^53. JSON.parse has rounded them, so they name nothing in the store, like the exact ones.
const idNumber = z
  .number()
  .positive()
  .max(2 ** 63)
  .refine(Number.isInteger)
  .transform((id) => BigInt(id).toString());
const idSchema = z.union([idNumber, z.string().regex(/^[1-9]\d*$/)]);
const shopGid = z
  .string()
  .regex(/^gid:\/\/shopify\/Shop\/[1-9]\d*$/)
  .transform((gid) => gid.slice(gid.lastIndexOf("/") + 1));
const productGid = z.string().regex(/^gid:\/\/shopify\/Product\/[1-9]\d*$/);

const none = z.never().optional();

/** Fields that only some topics have; a schema overrides those of its own topic. */
const FOREIGN = {
  myshopify_domain: none,
  previous: none,
  current: none,
  app_subscription: none,
  shop_domain: none,
  customer: none,
  data_request: none,
  orders_requested: none,
  orders_to_redact: none,
  inventory_item_id: none,
  order_number: none,
  order_id: none,
  order_edit: none,
};

const uninstalledPayload = z.object({ ...FOREIGN, id: idSchema, myshopify_domain: shopDomainSchema });

const scopesPayload = z.object({
  ...FOREIGN,
  previous: z.array(z.string()),
  current: z.array(z.string()),
  // Sent since 2025-07, as a number or as a GID.
  shop_id: z.union([idSchema, shopGid]).optional(),
});

const subscriptionPayload = z.object({
  ...FOREIGN,
  app_subscription: z.object({
    admin_graphql_api_id: z.string().regex(/^gid:\/\/shopify\/AppSubscription\/[1-9]\d*$/),
    admin_graphql_api_shop_id: shopGid,
  }),
});

// shopify.app.toml reduces this payload to its required fields (`include_fields`); the full one is accepted as well.
const productPayload = z.object({
  ...FOREIGN,
  id: idSchema,
  updated_at: z.string(),
  admin_graphql_api_id: productGid.optional(),
});

const deletedProductPayload = z.object({
  ...FOREIGN,
  id: idSchema,
  admin_graphql_api_id: productGid.optional(),
  updated_at: none,
  title: none,
  variants: none,
});

const inventoryPayload = z.object({ ...FOREIGN, inventory_item_id: idSchema, location_id: idSchema });

// shopify.app.toml reduces the payloads about orders to these fields. An order without contact details has no customer.
const orderPayload = z.object({
  ...FOREIGN,
  id: idSchema,
  order_number: z.int(),
  created_at: z.string(),
  customer: z.object({ id: idSchema }).nullish(),
});

const editedOrderPayload = z.object({ ...FOREIGN, order_edit: z.object({ order_id: idSchema }) });

const refundPayload = z.object({ ...FOREIGN, id: idSchema, order_id: idSchema });

const compliance = { ...FOREIGN, shop_id: idSchema, shop_domain: shopDomainSchema };
const customerSchema = z.object({ id: idSchema, email: z.string().optional().catch(undefined) });

const dataRequestPayload = z.object({
  ...compliance,
  customer: customerSchema,
  data_request: z.object({ id: idSchema }),
  orders_requested: z.array(z.unknown()).optional(),
});

const redactPayload = z.object({
  ...compliance,
  customer: customerSchema,
  orders_to_redact: z.array(z.unknown()),
});

const shopRedactPayload = z.object(compliance);

const namedBy = ({ shop_id, shop_domain }: { shop_id: string; shop_domain: string }): NamedShop => ({
  storeId: shop_id,
  domain: shop_domain,
});

interface ParsedPayload {
  report: Report;
  shop: NamedShop;
}

const productReport = ({ id }: { id: string }): ParsedPayload => ({
  report: { what: "product", productId: id },
  shop: {},
});

const changedOrder = (orderId: string): ParsedPayload => ({
  report: { what: "order", orderId, customerId: undefined, isNew: false },
  shop: {},
});

const updatedProduct = productPayload.transform(productReport);

const PAYLOADS: Record<Topic, z.ZodType<ParsedPayload>> = {
  APP_UNINSTALLED: uninstalledPayload.transform(({ id, myshopify_domain }) => ({
    report: { what: "uninstalled" as const },
    shop: { storeId: id, domain: myshopify_domain },
  })),
  APP_SCOPES_UPDATE: scopesPayload.transform(({ shop_id }) => ({
    report: { what: "scopes" as const },
    shop: shop_id === undefined ? {} : { storeId: shop_id },
  })),
  APP_SUBSCRIPTIONS_UPDATE: subscriptionPayload.transform(({ app_subscription }) => ({
    report: { what: "subscription" as const },
    shop: { storeId: app_subscription.admin_graphql_api_shop_id },
  })),
  PRODUCTS_CREATE: updatedProduct,
  PRODUCTS_UPDATE: updatedProduct,
  PRODUCTS_DELETE: deletedProductPayload.transform(productReport),
  INVENTORY_LEVELS_UPDATE: inventoryPayload.transform(({ inventory_item_id }) => ({
    report: { what: "inventory" as const, inventoryItemId: inventory_item_id },
    shop: {},
  })),
  ORDERS_CREATE: orderPayload.transform(({ id, customer }) => ({
    report: { what: "order" as const, orderId: id, customerId: customer?.id, isNew: true },
    shop: {},
  })),
  ORDERS_EDITED: editedOrderPayload.transform(({ order_edit }) => changedOrder(order_edit.order_id)),
  ORDERS_CANCELLED: orderPayload.transform(({ id }) => changedOrder(id)),
  REFUNDS_CREATE: refundPayload.transform(({ order_id }) => changedOrder(order_id)),
  CUSTOMERS_DATA_REQUEST: dataRequestPayload.transform((payload) => ({
    report: {
      what: "privacy" as const,
      kind: "data_request" as const,
      customerId: payload.customer.id,
      email: payload.customer.email,
      shopifyRequestId: payload.data_request.id,
    },
    shop: namedBy(payload),
  })),
  CUSTOMERS_REDACT: redactPayload.transform((payload) => ({
    report: {
      what: "privacy" as const,
      kind: "redact" as const,
      customerId: payload.customer.id,
      email: payload.customer.email,
      shopifyRequestId: undefined,
    },
    shop: namedBy(payload),
  })),
  SHOP_REDACT: shopRedactPayload.transform((payload) => ({
    report: { what: "erase_shop" as const },
    shop: namedBy(payload),
  })),
};

/** Parses a body. @returns undefined when the body is not a complete body of the topic */
export function parsePayload(topic: Topic, payload: unknown): ParsedPayload | undefined {
  return PAYLOADS[topic].safeParse(payload).data;
}

/**
 * Returns whether a body names the shop of the request's headers, or no shop.
 * @param shop.storeId null until the id has been read from Shopify
 */
export function namesShop(named: NamedShop, shop: { domain: string; storeId: string | null }): boolean {
  const { domain = shop.domain, storeId = shop.storeId } = named;
  return domain === shop.domain && (shop.storeId === null || storeId === shop.storeId);
}
