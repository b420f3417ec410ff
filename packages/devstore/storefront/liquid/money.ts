import { formatMoney } from "../../foundation/currency.ts";
import type { FilterContext } from "./filter-context.ts";

function shopText(options: FilterContext, name: "money_format" | "currency"): string {
  const text: unknown = options.context.getSync(["shop", name]);
  return typeof text === "string" ? text : "";
}

function inFormat(options: FilterContext, cents: unknown, format: string): string {
  return formatMoney(Number(cents ?? 0), format, shopText(options, "currency"));
}

/** Formats a price in the shop's money format, which does not depend on the shopper's language. */
function money(this: FilterContext, cents: unknown): string {
  return inFormat(this, cents, shopText(this, "money_format"));
}

export const moneyFilters = {
  money,
  money_with_currency(this: FilterContext, cents: unknown) {
    return `${money.call(this, cents)} ${shopText(this, "currency")}`;
  },
  money_without_currency(this: FilterContext, cents: unknown) {
    const [placeholder = ""] = /\{\{\w+\}\}/.exec(shopText(this, "money_format")) ?? [];
    return inFormat(this, cents, placeholder);
  },
  money_without_trailing_zeros(this: FilterContext, cents: unknown) {
    return money.call(this, cents).replace(/[.,]000?(?!\d)/, "");
  },
};
