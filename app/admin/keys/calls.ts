import type { Scope } from "../../access/scopes.ts";

/** A request that the merchant can try. It only reads. */
export interface TrialCall {
  label: string;
  scope: Extract<Scope, `read_${string}`>;
  /** what goes into the path, as the merchant types it */
  parameter?: string;
  path: (parameter: string) => string;
}

export const TRIAL_CALLS: Readonly<Record<string, TrialCall>> = {
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
