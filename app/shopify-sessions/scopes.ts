/** Returns the scopes of a session, which Shopify separates by commas. */
export function toScopes(scope: string | null | undefined): string[] {
  return (scope ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}

/** Returns whether scopes include one. A scope to write implies the one to read. @param scope such as `read_orders` */
export function includesScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace("read_", "write_"));
}
