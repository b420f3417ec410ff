type Values = Record<string, string | number>;

/** Returns a text of `locales/` in the customer's language. */
export function t(key: string, values: Values = {}): string {
  return shopify.i18n.translate(key, values);
}

/** Shows a text of `locales/` for a few seconds. */
export function showToast(key: string, values?: Values): void {
  void shopify.toast.show(t(key, values));
}
