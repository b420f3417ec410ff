type Values = Record<string, string | number>;

/** Returns a text of `locales/` in the customer's language. */
export function t(key: string, values: Values = {}): string {
  return shopify.i18n.translate(key, values);
}
