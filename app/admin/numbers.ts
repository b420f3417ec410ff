// By the digits behind the point. `toLocaleString` makes a formatter at each call, which takes longer than drawing the cell around it.
const formats = new Map<number, Intl.NumberFormat>();

/** A number as people read it. @param digits behind the point at most */
export function readable(value: number, digits = 3): string {
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat("en", { maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  return format.format(value);
}

const prices = new Map<string, Intl.NumberFormat>();

/** A price as people read it. @param currency ISO 4217; null when it is not known */
export function priceText(price: string, currency: string | null): string {
  if (currency === null) return price;
  let format = prices.get(currency);
  if (!format) {
    format = new Intl.NumberFormat("en", { style: "currency", currency });
    prices.set(currency, format);
  }
  return format.format(Number(price));
}

/** 1 item, 2 items, 1,000 items */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${readable(count)} ${count === 1 ? one : many}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return counted(bytes, "byte");
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"];
  return `${readable(size, 1)} ${unit}`;
}
