import { now } from "../../app/platform/clock.server.ts";
import { productionAddresses } from "../addresses.ts";
import type { AppSubscription } from "../billing/subscriptions.ts";
import { gid } from "../graphql/ids.ts";
import { PICTURE_SIZE, picturePath } from "../pictures/address.ts";
import type { StoreProduct } from "../store/catalogue.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";

/*
 * Bodies as Shopify sends them: its REST Admin API's shapes, in which ids are numbers. 13 and 14 digits are within what a
 * double holds exactly.
 */

export function product({ shop, options }: Store, { id, variants, createdAt, updatedAt, ...rest }: StoreProduct) {
  const { cdn } = productionAddresses(shop.domain, options.appUrl);
  const image = {
    id: Number(id),
    product_id: Number(id),
    position: 1,
    alt: rest.title,
    width: PICTURE_SIZE,
    height: PICTURE_SIZE,
    src: cdn + picturePath({ handle: rest.handle }),
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
    variants: variants.map((variant, place) => ({
      admin_graphql_api_id: gid("ProductVariant", variant.id),
      id: Number(variant.id),
      product_id: Number(id),
      title: variant.title,
      position: place + 1,
      price: (variant.priceCents / 100).toFixed(2),
      compare_at_price: null,
      sku: `LF-${variant.id.slice(-6)}`,
      barcode: null,
      option1: variant.options[0] ?? null,
      option2: variant.options[1] ?? null,
      option3: variant.options[2] ?? null,
      inventory_policy: "deny",
      inventory_quantity: variant.available ? 12 : 0,
      taxable: true,
      image_id: null,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    })),
    options: rest.options.map(({ name, values }, place) => ({
      id: Number(`${id.slice(-9)}${place + 1}`),
      product_id: Number(id),
      name,
      position: place + 1,
      values,
    })),
    image,
    images: [image],
  };
}

export function subscription({ shop }: Store, { id, name, status, createdAt, lineItems }: AppSubscription) {
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

export function scopes({ shop, installation }: Store, previous: readonly string[]) {
  return {
    id: 204_100_000_001,
    previous: [...previous],
    current: [...installation.scopes],
    updated_at: now().toISOString(),
    shop_id: Number(shop.id),
  };
}

export function shop({ shop: { id, name, domain, email, timeZone, currency } }: Store) {
  return {
    id: Number(id),
    name,
    email,
    domain,
    myshopify_domain: domain,
    iana_timezone: timeZone,
    currency,
    plan_name: "partner_test",
    updated_at: now().toISOString(),
    admin_graphql_api_id: gid("Shop", id),
  };
}

const about = ({ shop: { id, domain } }: Store) => ({ shop_id: Number(id), shop_domain: domain });

const person = ({ id, email }: StoreCustomer) => ({ id: Number(id), email, phone: null });

let dataRequests = 9_999_000;

export function customerDataRequest(store: Store, customer: StoreCustomer) {
  return {
    ...about(store),
    orders_requested: [],
    customer: person(customer),
    data_request: { id: ++dataRequests },
  };
}

export function customerRedact(store: Store, customer: StoreCustomer) {
  return { ...about(store), customer: person(customer), orders_to_redact: [] };
}

export function shopRedact(store: Store) {
  return about(store);
}
