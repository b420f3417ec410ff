// What comes from outside (answers, storage, other scripts' events) is looked at before it is believed.

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The text, or the number as text; "" when it is neither. */
export function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The last part of a Shopify GID (`gid://shopify/Cart/1?key=…` is `1`: the key opens the cart), or the id itself. */
export function tail(value: unknown): string {
  return text(value).replace(/.*\/|\?.*/g, "");
}
