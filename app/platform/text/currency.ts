// Intl's own decimals follow custom, not ISO 4217: it would round 12.50 forints. Stores count in the decimals of ISO 4217.
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set([
  "BIF",
  "CLP",
  "DJF",
  "GNF",
  "ISK",
  "JPY",
  "KMF",
  "KRW",
  "PYG",
  "RWF",
  "UGX",
  "VND",
  "VUV",
  "XAF",
  "XOF",
  "XPF",
]);
const WITH_THREE_DECIMALS: ReadonlySet<string> = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);

/** Returns the decimals of a currency by ISO 4217. @param currency its code; null when unknown, which has two */
export function currencyDecimals(currency: string | null): number {
  if (currency === null) return 2;
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** Returns an amount that was calculated, rounded to the decimals of its currency, such as "49.00", "1200" and "1.250". */
export function roundAmount(amount: number, currency: string | null): string {
  return amount.toFixed(currencyDecimals(currency));
}

/** Subtracts amounts, as texts with any decimals, exactly. */
export function subtractAmounts(from: string, what: string): string {
  const decimals = Math.max(...[from, what].map((text) => text.split(".")[1]?.length ?? 0));
  const units = (text: string): bigint => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(decimals, "0"));
  };
  const difference = units(from) - units(what);
  const digits = String(difference < 0n ? -difference : difference).padStart(decimals + 1, "0");
  const end = digits.length - decimals;
  const fraction = decimals > 0 ? `.${digits.slice(end)}` : "";
  return `${difference < 0n ? "-" : ""}${digits.slice(0, end)}${fraction}`;
}

// Creating a format takes longer than using it.
const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount with its currency as people read it in a language. Where whole amounts are customarily written without decimals, such as forints, they
 * are; an amount is never rounded to fewer decimals than its currency has.
 * @param currency ISO 4217 code
 */
export function formatMoney(amount: number, currency: string, locale = "en"): string {
  const decimals = Number.isInteger(amount) ? "customary" : "all";
  const key = `${locale} ${currency} ${decimals}`;
  let format = formats.get(key);
  if (!format) {
    const digits = currencyDecimals(currency);
    const all = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    format = new Intl.NumberFormat(locale, { style: "currency", currency, ...(decimals === "all" && all) });
    formats.set(key, format);
  }
  return format.format(amount);
}
