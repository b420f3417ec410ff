import type { StoreProduct, StoreVariant } from "../store/catalog.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Order, Refund } from "../store/orders.ts";
import type { Store } from "../store/store.ts";
import type { AppSubscription } from "../store/subscriptions.ts";
import * as orderPayloads from "./order-payloads.ts";
import * as payloads from "./payloads.ts";
import type { WebhookSender } from "./sender.ts";

/** Sends the webhook of each change in the store. */
export interface StoreEvents {
  productChanged: (change: "create" | "update", product: StoreProduct) => void;
  productDeleted: (id: string) => void;
  inventoryChanged: (variant: StoreVariant) => void;
  shopUpdated: () => void;
  orderCreated: (order: Order) => void;
  orderUpdated: (order: Order) => void;
  orderCancelled: (order: Order) => void;
  refundCreated: (order: Order, refund: Refund) => void;
  subscriptionsChanged: (subscriptions: readonly AppSubscription[]) => void;
  scopesUpdated: (previous: readonly string[]) => void;
  uninstalled: () => void;
  customerDataRequested: (customer: StoreCustomer) => void;
  customerRedacted: (customer: StoreCustomer) => void;
  shopRedacted: () => void;
}

export function createStoreEvents(store: Store, sender: WebhookSender): StoreEvents {
  const orderPayload = (order: Order) => orderPayloads.order(order, store.customers.byId(order.customerId ?? ""));
  return {
    productChanged: (change, product) =>
      sender.send(`products/${change}`, payloads.product(product, store.shop.currency)),
    productDeleted: (id) => sender.send("products/delete", { id: Number(id) }),
    inventoryChanged: (variant) => sender.send("inventory_levels/update", payloads.inventoryLevel(variant)),
    shopUpdated: () => sender.send("shop/update", payloads.shop(store.shop)),
    orderCreated: (order) => sender.send("orders/create", orderPayload(order)),
    orderUpdated: (order) => sender.send("orders/updated", orderPayload(order)),
    orderCancelled: (order) => sender.send("orders/cancelled", orderPayload(order)),
    refundCreated: (order, refund) => sender.send("refunds/create", orderPayloads.refund(order, refund)),
    subscriptionsChanged(subscriptions) {
      for (const subscription of subscriptions) {
        sender.send("app_subscriptions/update", payloads.subscription(store.shop, subscription));
      }
    },
    scopesUpdated: (previous) =>
      sender.send("app/scopes_update", payloads.scopes(store.shop, previous, store.installation.scopes)),
    uninstalled: () => sender.send("app/uninstalled", payloads.shop(store.shop)),
    customerDataRequested: (customer) =>
      sender.send("customers/data_request", payloads.customerDataRequest(store.shop, payloads.person(customer))),
    customerRedacted: (customer) =>
      sender.send("customers/redact", payloads.customerRedact(store.shop, payloads.person(customer))),
    shopRedacted: () => sender.send("shop/redact", payloads.shopRedact(store.shop)),
  };
}
