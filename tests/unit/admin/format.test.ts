import { expect, test } from "vitest";
import { formatDollars, formatPrice } from "../../../app/admin/format.ts";

test.each([
  ["19.90", "EUR", "€19.90"],
  ["1234.5", "USD", "$1,234.50"],
  ["1234.50", "CAD", "CA$1,234.50"],
  ["1200.00", "JPY", "¥1,200"],
  ["0.125", "KWD", "KWD\u{A0}0.125"],
  ["4", "KWD", "KWD\u{A0}4.000"],
  ["34", "EUR", "€34.00"],
  // Written without decimals by custom, but stores may have them.
  ["1500", "HUF", "HUF\u{A0}1,500"],
  ["1500.5", "HUF", "HUF\u{A0}1,500.50"],
  ["19.90", null, "19.90"],
])("a price of %s in %s is shown as %s", (price, currency, text) => {
  expect(formatPrice(price, currency)).toBe(text);
});

test.each([
  ["USD", "$29"],
  ["CAD", "$29 USD"],
  [null, "$29 USD"],
])("a price of the app in a shop in %s is shown as %s", (currency, text) => {
  expect(formatDollars(29, currency)).toBe(text);
});
