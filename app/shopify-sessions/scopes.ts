/** The scopes that merchants grant or decline on the pages that need them: `optional_scopes` of shopify.app.toml. */
export const OPTIONAL_SCOPES = {
  customers: "read_customers",
  inventory: "read_inventory",
  orders: "read_orders",
  customerTags: "write_customers",
  draftOrders: "write_draft_orders",
} as const;

export type OptionalScope = (typeof OPTIONAL_SCOPES)[keyof typeof OPTIONAL_SCOPES];

/** Returns the scopes of a session, which Shopify separates by commas. */
export function toScopes(scope: string | null | undefined): string[] {
  return (scope ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}

/** Returns whether scopes include one. A scope to write implies the one to read. */
export function includesScope(scopes: readonly string[], scope: OptionalScope): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace("read_", "write_"));
}
