// Checks values from outside: responses, storage, other scripts' events.

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns text, or a number as text; "" for anything else. */
export function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the id in a Shopify GID, or the id itself: `gid://shopify/Cart/1?key=…` gives `1`, without the key that opens the cart. */
export function idOf(gid: unknown): string {
  return text(gid).replace(/.*\/|\?.*/g, "");
}
