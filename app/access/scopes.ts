import { z } from "zod";

/** Scopes of keys and tokens, named like Shopify's. */
export const SCOPES = {
  read_wishlists: "Read wishlists",
  write_wishlists: "Add, remove, merge and share",
  read_analytics: "Read analytics (admin)",
  read_webhooks: "Read webhook subscriptions (admin)",
  write_webhooks: "Manage webhook subscriptions (admin)",
} as const;

export type Scope = keyof typeof SCOPES;

export const scopeSchema = z.enum([
  "read_wishlists",
  "write_wishlists",
  "read_analytics",
  "read_webhooks",
  "write_webhooks",
]);

export const ALL_SCOPES: readonly Scope[] = scopeSchema.options;

/** Scopes of a token that is bound to one customer: no admin scope, so that it is safe in a browser. */
export const CUSTOMER_SCOPES: readonly Scope[] = ["read_wishlists", "write_wishlists"];

export function isScope(text: string): text is Scope {
  return scopeSchema.safeParse(text).success;
}
