import { formatMoney } from "../platform/text/currency.ts";

// Keyed by fraction digits. `toLocaleString` creates a formatter at each call, which is slower than rendering a table cell.
const numberFormats = new Map<number, Intl.NumberFormat>();

/** Formats a number for display. @param digits maximum fraction digits */
export function formatNumber(value: number, digits = 3): string {
  let format = numberFormats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat("en", { maximumFractionDigits: digits });
    numberFormats.set(digits, format);
  }
  return format.format(value);
}

/** Formats a price for display. @param currency ISO 4217 code; null when unknown */
export function formatPrice(price: string | number, currency: string | null): string {
  return currency === null ? String(price) : formatMoney(Number(price), currency);
}

const amountFormats = new Map<string, Intl.NumberFormat>();

/** Formats an amount of money without its smallest unit, for axes. @param currency ISO 4217 code; null when unknown */
export function formatAmount(amount: number, currency: string | null): string {
  if (currency === null) return formatNumber(amount);
  let format = amountFormats.get(currency);
  if (!format) {
    format = new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: 0 });
    amountFormats.set(currency, format);
  }
  return format.format(amount);
}

/** Formats a price of the app, which is whole US dollars: with the currency's code where the shop counts in another one, whose sign may be $ as well. */
export function formatDollars(price: number, shopCurrency: string | null): string {
  const text = formatAmount(price, "USD");
  return shopCurrency === "USD" ? text : `${text} USD`;
}

/** Formats a count with its noun: 1 item, 2 items, 1,000 items. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** Formats a file size, such as "84 bytes" or "2.5 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return formatCount(bytes, "byte");
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"];
  return `${formatNumber(size, 1)} ${unit}`;
}
