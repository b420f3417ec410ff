/** Separators of thousands and decimals of Shopify's placeholders; those without decimals round. */
const SEPARATORS: Partial<Record<string, readonly [thousands: string, decimals: string]>> = {
  amount: [",", "."],
  amount_no_decimals: [",", ""],
  amount_with_comma_separator: [".", ","],
  amount_no_decimals_with_comma_separator: [".", ""],
  amount_with_apostrophe_separator: ["'", "."],
  amount_no_decimals_with_space_separator: [" ", ""],
  amount_with_space_separator: [" ", ","],
  amount_with_period_and_space_separator: [" ", "."],
};

/**
 * Formats an amount as the store does.
 * @param amount with the decimals of its currency, as the API has it
 * @param format the store's money format
 * @returns undefined for a placeholder that Shopify does not document
 */
export function formatMoney(amount: string, format: string): string | undefined {
  const [placeholder = "", name = ""] = /\{\{\s*(\w+)\s*\}\}/.exec(format) ?? [];
  const separators = SEPARATORS[name];
  if (!separators) return undefined;
  const [thousands, decimals] = separators;
  const [whole = "", fraction = ""] = (decimals === "" ? Number(amount).toFixed(0) : amount).split(".");
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands) + (fraction && decimals + fraction);
  return format.replace(placeholder, () => text);
}
