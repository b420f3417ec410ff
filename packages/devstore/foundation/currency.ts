import { currencyDecimals } from "../../../app/platform/text/currency.ts";

/** Currencies that a store can have, with the money format of a store in that currency. */
const MONEY_FORMATS = {
  EUR: "€{{amount_with_comma_separator}}",
  GBP: "£{{amount}}",
  JPY: "¥{{amount_no_decimals}}",
  KWD: "{{amount}} KD",
  USD: "${{amount}}",
} as const;

type Currency = keyof typeof MONEY_FORMATS;

export const CURRENCIES = ["EUR", "GBP", "JPY", "KWD", "USD"] as const satisfies readonly Currency[];

/** Returns the shop's money format, in which Liquid and scripts write prices. @throws for a currency that the devstore lacks */
export function moneyFormatOf(currency: string): string {
  const known = CURRENCIES.find((one) => one === currency);
  if (known === undefined) throw new Error(`The devstore has no money format for ${currency}: add it to MONEY_FORMATS`);
  return MONEY_FORMATS[known];
}

const grouped = (digits: string, separator: string) => digits.replaceAll(/\B(?=(\d{3})+(?!\d))/g, separator);

/** Returns the currency's symbol in the shop's money format. */
export function moneySymbolOf(currency: string): string {
  return moneyFormatOf(currency)
    .replace(/\{\{\w+\}\}/, "")
    .trim();
}

/** Returns an amount with the decimals of its currency. @param cents hundredths, in every currency; with decimals where the currency has three */
export function amountOf(cents: number, currency: string): string {
  return (cents / 100).toFixed(currencyDecimals(currency));
}

/** Formats cents in a money format. */
export function formatMoney(cents: number, format: string, currency: string): string {
  const [whole = "", fraction = ""] = (cents / 100).toFixed(Math.max(2, currencyDecimals(currency))).split(".");
  return format
    .replace("{{amount_with_comma_separator}}", () => `${grouped(whole, ".")},${fraction}`)
    .replace("{{amount_no_decimals}}", () => grouped(Math.round(cents / 100).toFixed(0), ","))
    .replace("{{amount}}", () => `${grouped(whole, ",")}.${fraction}`);
}
