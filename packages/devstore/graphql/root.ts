import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import { moneyFormatOf } from "../foundation/currency.ts";
import { gid, parseGid } from "../foundation/gid.ts";
import { hasScope } from "../foundation/scopes.ts";
import { appMutations, showApp, showInstallation, showSubscription } from "./app.ts";
import { nodesOf } from "./connections.ts";
import { customerFields, showCustomer } from "./customers.ts";
import { draftOrderFields } from "./draft-orders.ts";
import { flowMutations } from "./flow.ts";
import { orderQueries } from "./orders.ts";
import { badUserInput, requireScope, type Caller } from "./problems.ts";
import { inventoryItem, productQueries, showProduct, showVariant, variantsOf } from "./products.ts";
import { webhookFields } from "./webhooks.ts";

const OPENED = "2026-01-05T09:00:00.000Z";

function showShop({ shop }: Store) {
  const url = `https://${shop.domain}`;
  return {
    __typename: "Shop",
    id: gid("Shop", shop.id),
    name: shop.name,
    email: shop.email,
    contactEmail: shop.email,
    billingAddress: { __typename: "ShopAddress", formatted: ["Torstraße 1", "10119 Berlin", "Germany"] },
    shopOwnerName: "Maren Lark",
    myshopifyDomain: shop.domain,
    primaryDomain: { __typename: "Domain", id: gid("Domain", "80100000001"), host: shop.domain, url, sslEnabled: true },
    url,
    ianaTimezone: shop.timeZone,
    timezoneAbbreviation: "CET",
    currencyCode: shop.currency,
    currencyFormats: {
      moneyFormat: moneyFormatOf(shop.currency),
      moneyWithCurrencyFormat: `${moneyFormatOf(shop.currency)} ${shop.currency}`,
    },
    plan: {
      displayName: shop.isDevelopmentStore ? "Developer Preview" : "Basic",
      publicDisplayName: shop.isDevelopmentStore ? "Development" : "Basic",
      partnerDevelopment: shop.isDevelopmentStore,
      shopifyPlus: false,
    },
    createdAt: OPENED,
  };
}

/** Returns the resolvers of QueryRoot and Mutation for one caller. */
export function rootValue(store: Store, caller: Caller, events: StoreEvents) {
  const orders = orderQueries(store, caller);

  function node(id: string): object | null {
    const read = parseGid(id);
    if (read === undefined) throw badUserInput(`Invalid global id '${id}'`);
    switch (read.type) {
      case "Product": {
        requireScope(caller, "read_products", "node");
        const product = store.catalog.byId(read.id);
        return product === undefined ? null : showProduct(store, product);
      }
      case "ProductVariant": {
        requireScope(caller, "read_products", "node");
        const found = store.catalog.variant(read.id);
        const one = found && variantsOf(found.product).find(({ variant }) => variant === found.variant);
        return one === undefined ? null : showVariant(store, one);
      }
      case "InventoryItem": {
        if (!hasScope(caller.scopes, "read_inventory")) requireScope(caller, "read_products", "node");
        return inventoryItem(store, read.id);
      }
      case "Customer": {
        requireScope(caller, "read_customers", "node");
        const customer = store.customers.byId(read.id);
        return customer === undefined ? null : showCustomer(customer);
      }
      case "Order":
        return orders.order({ id });
      case "Refund":
        return orders.refund({ id });
      case "AppSubscription": {
        const subscription = store.subscriptions.byId(read.id);
        return subscription === undefined ? null : showSubscription(subscription);
      }
      case "Shop":
        return read.id === store.shop.id ? showShop(store) : null;
      default:
        return null;
    }
  }

  return {
    ...productQueries(store, caller),
    ...customerFields(store, caller),
    ...orders,
    ...draftOrderFields(store, caller),
    ...appMutations(store, events),
    ...flowMutations(store, caller),
    ...webhookFields(store, caller),
    shop: () => showShop(store),
    app: () => showApp(store),
    appInstallation: () => showInstallation(store),
    currentAppInstallation: () => showInstallation(store),
    node: ({ id }: { id: string }) => node(id),
    nodes: ({ ids }: { ids: string[] }) => nodesOf(ids, node),
  };
}
