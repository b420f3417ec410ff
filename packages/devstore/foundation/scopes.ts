/** Returns the scopes to read that are implied by scopes to write, and not revoked before them. @param kept scopes that stay */
export function impliedScopes(kept: readonly string[], revoked: readonly string[]): string[] {
  return revoked.filter((scope) => scope.startsWith("read_") && kept.includes(scope.replace("read_", "write_")));
}

/** Tells whether scopes include one; a write scope includes reading. */
export function hasScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace("read_", "write_"));
}
