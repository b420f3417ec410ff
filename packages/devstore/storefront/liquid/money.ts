import { formatMoney } from "../../foundation/currency.ts";
import type { FilterContext } from "./filter-context.ts";

function shopText(options: FilterContext, name: "money_format" | "currency"): string {
  const text: unknown = options.context.getSync(["shop", name]);
  return typeof text === "string" ? text : "";
}

/** Formats a price in the shop's money format, which does not depend on the shopper's language. */
function money(this: FilterContext, cents: unknown): string {
  return formatMoney(Number(cents ?? 0), shopText(this, "money_format"));
}

export const moneyFilters = {
  money,
  money_with_currency(this: FilterContext, cents: unknown) {
    return `${money.call(this, cents)} ${shopText(this, "currency")}`;
  },
  money_without_currency(this: FilterContext, cents: unknown) {
    return money.call(this, cents).slice(1);
  },
  money_without_trailing_zeros(this: FilterContext, cents: unknown) {
    return money.call(this, cents).replace(/[.,]00$/, "");
  },
};
