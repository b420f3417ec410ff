import { expect, test } from "vitest";
import { plainMoneyFormat } from "../../../app/shops/money-format.ts";

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
