import { expect, test } from "vitest";
import { formatPrice } from "../../../app/admin/format.ts";

test.each([
  ["19.90", "EUR", "€19.90"],
  ["1234.5", "USD", "$1,234.50"],
  ["1234.50", "CAD", "CA$1,234.50"],
  ["1200.00", "JPY", "¥1,200"],
  ["0.125", "KWD", "KWD\u{A0}0.125"],
  ["19.90", null, "19.90"],
])("a price of %s in %s is shown as %s", (price, currency, text) => {
  expect(formatPrice(price, currency)).toBe(text);
});
