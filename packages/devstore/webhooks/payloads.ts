import { now } from "../../../app/platform/clock.server.ts";
import { amountOf } from "../foundation/currency.ts";
import { CDN } from "../foundation/addresses.ts";
import type { AppSubscription } from "../store/subscriptions.ts";
import { gid } from "../foundation/gid.ts";
import { PICTURE_SIZE, picturePath } from "../foundation/product-pictures.ts";
import type { StoreProduct, StoreVariant } from "../store/catalog.ts";
import type { StoreCustomer } from "../store/customers.ts";
import { LOCATION_ID } from "../store/inventory.ts";
import type { Shop } from "../store/store.ts";

/*
 * Webhook bodies in the shapes of Shopify's REST Admin API, in which ids are numbers. A double represents their 13 and 14
 * digits exactly.
 */

/** @param currency the store's, in which the prices are */
export function product({ id, variants, hasPicture, createdAt, updatedAt, ...rest }: StoreProduct, currency = "EUR") {
  const image = hasPicture && {
    id: Number(id),
    product_id: Number(id),
    position: 1,
    alt: rest.title,
    width: PICTURE_SIZE,
    height: PICTURE_SIZE,
    src: CDN + picturePath(rest),
    variant_ids: [],
    admin_graphql_api_id: gid("ProductImage", id),
  };
  return {
    admin_graphql_api_id: gid("Product", id),
    id: Number(id),
    title: rest.title,
    handle: rest.handle,
    vendor: rest.vendor,
    product_type: rest.productType,
    body_html: "",
    status: rest.status.toLowerCase(),
    tags: "",
    template_suffix: null,
    created_at: createdAt.toISOString(),
    published_at: rest.publishedAt?.toISOString() ?? null,
    updated_at: updatedAt.toISOString(),
    published_scope: "web",
    variants: variants.map((variant, index) => ({
      admin_graphql_api_id: gid("ProductVariant", variant.id),
      id: Number(variant.id),
      product_id: Number(id),
      title: variant.title,
      position: index + 1,
      price: amountOf(variant.priceCents, currency),
      compare_at_price: variant.compareAtPriceCents === null ? null : amountOf(variant.compareAtPriceCents, currency),
      sku: `LF-${variant.id.slice(-6)}`,
      barcode: null,
      option1: variant.options[0] ?? null,
      option2: variant.options[1] ?? null,
      option3: variant.options[2] ?? null,
      inventory_item_id: Number(variant.inventory.itemId),
      inventory_management: variant.inventory.tracked ? "shopify" : null,
      inventory_policy: variant.inventory.policy.toLowerCase(),
      inventory_quantity: variant.inventory.quantity,
      taxable: true,
      image_id: null,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    })),
    options: rest.options.map(({ name, values }, index) => ({
      id: Number(`${id.slice(-9)}${index + 1}`),
      product_id: Number(id),
      name,
      position: index + 1,
      values,
    })),
    image: image || null,
    images: image ? [image] : [],
  };
}

export function inventoryLevel({ inventory }: StoreVariant) {
  const { itemId, tracked, quantity } = inventory;
  return {
    inventory_item_id: Number(itemId),
    location_id: Number(LOCATION_ID),
    available: tracked ? quantity : null,
    updated_at: now().toISOString(),
    admin_graphql_api_id: `${gid("InventoryLevel", LOCATION_ID)}?inventory_item_id=${itemId}`,
  };
}

type SubscriptionFacts = Pick<AppSubscription, "id" | "name" | "status" | "createdAt"> & {
  lineItems?: AppSubscription["lineItems"];
};

export function subscription(shop: Shop, { id, name, status, createdAt, lineItems = [] }: SubscriptionFacts) {
  const [item] = lineItems;
  return {
    app_subscription: {
      admin_graphql_api_id: gid("AppSubscription", id),
      name,
      status,
      admin_graphql_api_shop_id: gid("Shop", shop.id),
      created_at: createdAt.toISOString(),
      updated_at: now().toISOString(),
      currency: item?.price.currencyCode ?? shop.currency,
      capped_amount: null,
      price: item?.price.amount ?? "0.00",
      interval: item?.interval === "ANNUAL" ? "annual" : "every_30_days",
      plan_handle: null,
    },
  };
}

export function scopes({ id }: Shop, previous: readonly string[], current: readonly string[]) {
  return {
    id: 204_100_000_001,
    previous: [...previous],
    current: [...current],
    updated_at: now().toISOString(),
    shop_id: Number(id),
  };
}

/** Body of `shop/update` and `app/uninstalled`. */
export function shop({ id, name, domain, email, timeZone, currency }: Shop) {
  return {
    id: Number(id),
    name,
    email,
    customer_email: email,
    domain,
    myshopify_domain: domain,
    iana_timezone: timeZone,
    currency,
    plan_name: "partner_test",
    updated_at: now().toISOString(),
    admin_graphql_api_id: gid("Shop", id),
  };
}

/** A customer as privacy webhooks describe one. */
export interface Person {
  id?: number;
  email?: string | null;
  phone?: string | null;
}

export function person({ id, email }: StoreCustomer): Person {
  return { id: Number(id), email, phone: null };
}

const shopReference = ({ id, domain }: Shop) => ({ shop_id: Number(id), shop_domain: domain });

let latestDataRequest = 9_999_000;

export function customerDataRequest(shop: Shop, customer: Person, dataRequest = ++latestDataRequest) {
  return { ...shopReference(shop), orders_requested: [], customer, data_request: { id: dataRequest } };
}

export function customerRedact(shop: Shop, customer: Person) {
  return { ...shopReference(shop), customer, orders_to_redact: [] };
}

export function shopRedact(shop: Shop) {
  return shopReference(shop);
}
