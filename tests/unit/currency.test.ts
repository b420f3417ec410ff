import { describe, expect, test } from "vitest";
import { currencyDecimals, formatMoney, roundAmount, subtractAmounts } from "../../app/platform/text/currency.ts";

/** Returns the decimals with which Intl writes a currency. */
function customaryDecimals(currency: string): number | undefined {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
}

describe("the decimals of a currency", () => {
  test.each([
    ["JPY", 0],
    ["KRW", 0],
    ["VND", 0],
    ["CLP", 0],
    ["ISK", 0],
    ["KWD", 3],
    ["BHD", 3],
    ["TND", 3],
    ["IQD", 3],
    ["EUR", 2],
    // Custom writes none, ISO 4217 has two.
    ["HUF", 2],
    [null, 2],
  ])("of %s are %i", (currency, decimals) => {
    expect(currencyDecimals(currency)).toBe(decimals);
  });

  test("are never fewer than those with which Intl writes it", () => {
    const fewer = Intl.supportedValuesOf("currency").filter(
      (currency) => currencyDecimals(currency) < (customaryDecimals(currency) ?? 0),
    );
    expect(fewer).toEqual([]);
  });

  test("are none only where custom writes none, too", () => {
    const without = Intl.supportedValuesOf("currency").filter((currency) => currencyDecimals(currency) === 0);
    expect(without.filter((currency) => customaryDecimals(currency) !== 0)).toEqual([]);
  });
});

test.each([
  [1.2345, "KWD", "1.234"],
  [1200.4, "JPY", "1200"],
  [49, "EUR", "49.00"],
])("%d %s is rounded to %s", (amount, currency, text) => {
  expect(roundAmount(amount, currency)).toBe(text);
});

test.each([
  ["12.00", "0.01", "11.99"],
  ["0.500", "0.501", "-0.001"],
  ["1200", "200", "1000"],
  ["1200", "0.5", "1199.5"],
  ["0.00", "0.00", "0.00"],
])("%s less %s is %s", (from, what, difference) => {
  expect(subtractAmounts(from, what)).toBe(difference);
});

test.each([
  [1.25, "KWD", "en", "KWD\u{A0}1.250"],
  [1200, "JPY", "ja", "￥1,200"],
  [49, "EUR", "de", "49,00\u{A0}€"],
  [1500, "HUF", "hu", "1500\u{A0}Ft"],
  [1500.5, "HUF", "hu", "1500,50\u{A0}Ft"],
])("%d %s is written in the language %s as %s", (amount, currency, locale, text) => {
  expect(formatMoney(amount, currency, locale)).toBe(text);
});
