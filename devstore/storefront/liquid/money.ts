function amount(cents: unknown): number {
  return Number(cents ?? 0) / 100;
}

/** Formats a price in the shop's money format, which does not depend on the shopper's language. */
function money(cents: unknown): string {
  const text = amount(cents).toFixed(2).replace(".", ",");
  return `€${text.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ".")}`;
}

export const moneyFilters = {
  money,
  money_with_currency: (cents: unknown) => `${money(cents)} EUR`,
  money_without_currency: (cents: unknown) => money(cents).slice(1),
  money_without_trailing_zeros: (cents: unknown) => money(cents).replace(/,00$/, ""),
};
