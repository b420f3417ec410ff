/** Tells whether scopes include one; a write scope includes reading. */
export function hasScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace("read_", "write_"));
}
