/** Origin of a change. Reports and webhooks treat changes by their origin. */
export type Source = "api" | "storefront" | "cart" | "merge" | "staff";
