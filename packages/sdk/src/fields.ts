/** Returns the fields of a value that should be an object; none of another value. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Tells whether a key or secret is of a kind. Programs without types pass what an environment variable does not have. */
export function isOfKind(value: unknown, prefix: string): value is string {
  return typeof value === "string" && value.startsWith(prefix);
}
