import { createDevstore, type Devstore } from "../../../packages/devstore/devstore.ts";
import type { DevstoreOptions } from "../../../packages/devstore/foundation/options.ts";
import { shopWithDomain } from "../../../packages/devstore/store/store.ts";
import * as payloads from "../../../packages/devstore/webhooks/payloads.ts";

/**
 * Starts a devstore whose stores are not development stores, as their charges are real, and whose Admin API throttles only
 * by an injected fault.
 */
export function startShopify(options: DevstoreOptions = {}): Promise<Devstore> {
  return createDevstore({ developmentStore: false, restoreRate: 1_000_000, ...options });
}

/** A customer with personal data in privacy webhooks. */
export const PERSON = { id: 7_012_503_486_663, email: "jane@example.com", phone: "+4930123456" };

const UPDATED_AT = "2026-11-20T10:00:00Z";

/** Webhook bodies by topic, for a shop's domain. */
export const bodies = {
  uninstalled: (shop: string) => payloads.shop(shopWithDomain(shop, { email: PERSON.email })),
  scopes: (shop: string, current: readonly string[] = ["read_products"]) =>
    payloads.scopes(shopWithDomain(shop), [], current),
  subscription: (shop: string) =>
    payloads.subscription(shopWithDomain(shop), {
      id: "1029266951",
      name: "Growth",
      status: "ACTIVE",
      createdAt: new Date(UPDATED_AT),
    }),
  /** reduced to the fields that shopify.app.toml includes */
  product: (id: number) => ({ id, updated_at: UPDATED_AT }),
  deletedProduct: (id: number) => ({ id }),
  dataRequest: (shop: string, customer: payloads.Person = PERSON, request = 9) =>
    payloads.customerDataRequest(shopWithDomain(shop), customer, request),
  customerRedact: (shop: string, customer: payloads.Person = PERSON) =>
    payloads.customerRedact(shopWithDomain(shop), customer),
  shopRedact: (shop: string) => payloads.shopRedact(shopWithDomain(shop)),
};
