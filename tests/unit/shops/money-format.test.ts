import { expect, test } from "vitest";
import { formatMoney } from "../../../extensions/wishlist-account/src/money.ts";
import { inMoneyFormat, plainMoneyFormat } from "../../../app/shops/money-format.ts";

test.each([
  ["${{amount}}", "${{amount}}"],
  ['<span class="money">&euro;{{ amount_with_comma_separator }}</span>', "€{{ amount_with_comma_separator }}"],
  ["{{amount}}&nbsp;&#8364;", "{{amount}}\u00A0€"],
  ["&lt;b&gt;{{amount}} &unknown;", "<b>{{amount}} &unknown;"],
  ["free", null],
  [`{{amount}}${"x".repeat(300)}`, null],
])("the money format %s is the text %s", (html, text) => {
  expect(plainMoneyFormat(html)).toBe(text);
});

test.each([
  ["1234567.50", "€{{amount}}", "€1,234,567.50"],
  ["1234.50", "{{ amount_with_comma_separator }} €", "1.234,50 €"],
  ["1234.50", "€{{amount_no_decimals}}", "€1,235"],
  ["1234.40", "€{{amount_no_decimals_with_comma_separator}}", "€1.234"],
  ["1234.50", "CHF {{amount_with_apostrophe_separator}}", "CHF 1'234.50"],
  ["1234.50", "{{amount_no_decimals_with_space_separator}} kr", "1 235 kr"],
  ["1234.50", "{{amount_with_space_separator}} kr", "1 234,50 kr"],
  ["1234.50", "{{amount_with_period_and_space_separator}}", "1 234.50"],
  ["1500", "¥{{amount}}", "¥1,500"],
  ["12.345", "KD {{amount}}", "KD 12.345"],
  ["1.00", "€{{amount_in_words}}", undefined],
])("%s in %s is %s, as in the account extension", (amount, format, text) => {
  expect(inMoneyFormat(amount, format)).toBe(text);
  expect(formatMoney(amount, format)).toBe(text);
});
