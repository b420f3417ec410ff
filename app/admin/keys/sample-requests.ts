import type { Scope } from "../../access/scopes.ts";

/** A read request that the merchant can send with a key. */
export interface SampleRequest {
  label: string;
  scope: Extract<Scope, `read_${string}`>;
  /** label of the path parameter that the merchant enters */
  parameter?: string;
  path: (parameter: string) => string;
}

export const SAMPLE_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  wishlist: {
    label: "Read a customer's wishlist",
    scope: "read_wishlists",
    parameter: "Customer ID",
    path: (customerId) => `/v1/wishlists/${encodeURIComponent(customerId)}?limit=5`,
  },
  overview: {
    label: "Read the overview of the last 30 days",
    scope: "read_analytics",
    path: () => "/v1/analytics/overview",
  },
  top: {
    label: "Read the most saved products",
    scope: "read_analytics",
    path: () => "/v1/analytics/top-products?limit=5",
  },
  webhooks: { label: "List webhooks", scope: "read_webhooks", path: () => "/v1/webhooks" },
};
