// Names of customers as the admin shows them. They are read from Shopify and never stored.

export interface CustomerName {
  name: string;
  /** undefined for a customer without an email address, or one whose name is the address */
  email: string | undefined;
}

export interface StoreCustomer extends CustomerName {
  customerId: string;
}

/**
 * Why there are no names. `not_permitted`: the merchant has not granted `read_customers`; `hidden`: the merchant has hidden them; `unavailable`:
 * Shopify did not respond in time or refused.
 */
export interface NoNames {
  state: "not_permitted" | "hidden" | "unavailable";
}

/** Names by customer id. A customer who is not in the list has none, or no longer exists. */
export type CustomerNames = { state: "named"; byId: Readonly<Record<string, CustomerName>> } | NoNames;
