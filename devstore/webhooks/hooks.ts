import type { AppSubscription } from "../billing/subscriptions.ts";
import type { StoreProduct } from "../store/catalogue.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";
import * as payloads from "./payloads.ts";
import type { Sender } from "./sender.ts";

/** What happens in the store, told to the app. */
export interface Hooks {
  productChanged: (change: "create" | "update", product: StoreProduct) => void;
  productDeleted: (id: string) => void;
  subscriptionsChanged: (subscriptions: readonly AppSubscription[]) => void;
  scopesUpdated: (previous: readonly string[]) => void;
  uninstalled: () => void;
  customerDataRequested: (customer: StoreCustomer) => void;
  customerRedacted: (customer: StoreCustomer) => void;
  shopRedacted: () => void;
}

export function createHooks(store: Store, sender: Sender): Hooks {
  return {
    productChanged: (change, product) => sender.send(`products/${change}`, payloads.product(store, product)),
    productDeleted: (id) => sender.send("products/delete", { id: Number(id) }),
    subscriptionsChanged(subscriptions) {
      for (const subscription of subscriptions) {
        sender.send("app_subscriptions/update", payloads.subscription(store, subscription));
      }
    },
    scopesUpdated: (previous) => sender.send("app/scopes_update", payloads.scopes(store, previous)),
    uninstalled: () => sender.send("app/uninstalled", payloads.shop(store)),
    customerDataRequested: (customer) =>
      sender.send("customers/data_request", payloads.customerDataRequest(store, customer)),
    customerRedacted: (customer) => sender.send("customers/redact", payloads.customerRedact(store, customer)),
    shopRedacted: () => sender.send("shop/redact", payloads.shopRedact(store)),
  };
}
