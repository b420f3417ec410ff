import { deliver, storeIdOf, type StandIn } from "./shopify-stand-in.ts";

/* Webhook bodies as Shopify documents them, by topic. */

export const PERSON = { id: 7012503486663, email: "jane@example.com", phone: "+4930123456" };

const TIME = "2026-11-20T10:00:00Z";
const shopGid = (shop: string): string => `gid://shopify/Shop/${storeIdOf(shop)}`;
const named = (shop: string): object => ({ shop_id: storeIdOf(shop), shop_domain: shop });

export const bodies = {
  uninstalled: (shop: string) => ({
    id: storeIdOf(shop),
    name: "A store",
    email: PERSON.email,
    domain: null,
    myshopify_domain: shop,
    created_at: TIME,
    updated_at: TIME,
    customer_email: PERSON.email,
    plan_name: "basic",
  }),
  scopes: (shop: string, current: readonly string[] = ["read_products"]) => ({
    id: 204_100_000_001,
    previous: [],
    current,
    updated_at: TIME,
    shop_id: storeIdOf(shop),
  }),
  subscription: (shop: string) => ({
    app_subscription: {
      admin_graphql_api_id: "gid://shopify/AppSubscription/1029266951",
      name: "Growth",
      status: "ACTIVE",
      admin_graphql_api_shop_id: shopGid(shop),
      created_at: TIME,
      updated_at: TIME,
      currency: "USD",
      capped_amount: null,
    },
  }),
  /** reduced to the fields that shopify.app.toml includes */
  product: (id: number) => ({ id, updated_at: TIME }),
  wholeProduct: (id: number) => ({
    admin_graphql_api_id: `gid://shopify/Product/${id}`,
    body_html: "",
    created_at: TIME,
    handle: "a-product",
    id,
    product_type: "",
    published_at: TIME,
    template_suffix: null,
    title: "A product",
    updated_at: TIME,
    vendor: "Larkfell",
    status: "active",
    published_scope: "web",
    tags: "",
    variants: [{ id: id * 10, product_id: id, title: "Default Title", price: "10.00" }],
    options: [],
    images: [],
    image: null,
  }),
  deletedProduct: (id: number) => ({ id }),
  dataRequest: (shop: string, customer: object = PERSON, request = 9) => ({
    ...named(shop),
    orders_requested: [],
    customer,
    data_request: { id: request },
  }),
  customerRedact: (shop: string, customer: object = PERSON) => ({ ...named(shop), customer, orders_to_redact: [] }),
  shopRedact: (shop: string) => named(shop),
};

/** Uninstalls the app as Shopify does: the tokens end before the app is told. */
export async function uninstall(
  serviceUrl: string,
  shopify: StandIn,
  shop: string,
  triggeredAt = new Date(),
): Promise<void> {
  shopify.forgetTokens(shop);
  const delivery = { topic: "app/uninstalled", shop, payload: bodies.uninstalled(shop), triggeredAt };
  const { status } = await deliver(serviceUrl, "/webhooks/app/uninstalled", delivery);
  if (status !== 200) throw new Error(`app/uninstalled was answered ${status}`);
}
