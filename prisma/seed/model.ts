/** A variant of a product. */
export interface SeedVariant {
  /** 14 digits, as Shopify's */
  variantId: string;
  /** The option values joined by " / ", such as "M / Moss"; "Default Title" when the product has no options. */
  title: string;
  /** Euro cents */
  priceCents: number;
  available: boolean;
}

export interface SeedProduct {
  /** 13 digits, as Shopify's */
  productId: string;
  /** The part of the product's URL, unique in the shop */
  handle: string;
  title: string;
  vendor?: string;
  productType: string;
  /** 1 to 6; index 0 is the default variant */
  variants: SeedVariant[];
}

export interface SeedCustomer {
  /** 13 digits, as Shopify's */
  customerId: string;
  firstName: string;
  lastName: string;
  /** Unique, under example.com */
  email: string;
}

/** An event of a customer. Merging a guest's list at the login is one "merge". */
export type SeedEvent =
  | { at: Date; kind: "add"; customerId: string; productId: string; variantId: string }
  | { at: Date; kind: "remove"; customerId: string; productId: string; variantId: string }
  | { at: Date; kind: "merge"; customerId: string; items: { productId: string; variantId: string; addedAt: Date }[] }
  | { at: Date; kind: "cart"; customerId: string; productId: string; variantId: string; eventId: string }
  | { at: Date; kind: "share"; customerId: string };

export interface SeedShop {
  domain: string;
  name: string;
  /** IANA name */
  timeZone: string;
  plan: "growth";
  /** ISO 4217 */
  currency: string;
  products: SeedProduct[];
  customers: SeedCustomer[];
  /** Oldest first; events of one customer never share an instant */
  readonly history: SeedEvent[];
}
