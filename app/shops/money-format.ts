/**
 * Separators of thousands and decimals of Shopify's placeholders; those without decimals round. The account extension has the same: it imports nothing of
 * the service.
 */
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

/** The most characters of a money format; longer ones are of no use to a shopper. */
const MAX_LENGTH = 255;
const PLACEHOLDER = /\{\{\s*amount\w*\s*\}\}/;

const ENTITIES: Partial<Record<string, string>> = {
  amp: "&",
  cent: "¢",
  euro: "€",
  gt: ">",
  lt: "<",
  nbsp: "\u00A0",
  pound: "£",
  quot: '"',
  yen: "¥",
};

/**
 * Returns a store's money format, which is HTML, as text: `<span class="money">&euro;{{amount}}</span>` is `€{{amount}}`.
 * @returns null for a format without an amount
 */
export function plainMoneyFormat(html: string): string | null {
  const text = html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:#(\d{1,5})|([a-z]{2,5}));/g, (entity, code?: string, name = "") =>
      code === undefined ? (ENTITIES[String(name)] ?? entity) : String.fromCharCode(Number(code)),
    )
    .trim();
  return PLACEHOLDER.test(text) && text.length <= MAX_LENGTH ? text : null;
}

/**
 * Writes an amount as the store does.
 * @param amount with the decimals of its currency
 * @param format the store's money format as text
 * @returns undefined for a placeholder that Shopify does not document
 */
export function inMoneyFormat(amount: string, format: string): string | undefined {
  const [placeholder = "", name = ""] = /\{\{\s*(\w+)\s*\}\}/.exec(format) ?? [];
  const separators = SEPARATORS[name];
  if (!separators) return undefined;
  const [thousands, decimals] = separators;
  const [whole = "", fraction = ""] = (decimals === "" ? Number(amount).toFixed(0) : amount).split(".");
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands) + (fraction && decimals + fraction);
  return format.replace(placeholder, () => text);
}

/** How a store writes prices in its currency. */
export interface StoreMoney {
  /** as text; null until Shopify has reported one */
  moneyFormat: string | null;
  currency: string | null;
}

/** Returns a price as the store writes it; undefined in another currency, or before the format is known. */
export function inStoresFormat(amount: string, currency: string | null, money: StoreMoney): string | undefined {
  return currency === money.currency && money.moneyFormat !== null
    ? inMoneyFormat(amount, money.moneyFormat)
    : undefined;
}
