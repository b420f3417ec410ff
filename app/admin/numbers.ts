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

/** 1 item, 2 items, 1,000 items */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${readable(count)} ${count === 1 ? one : many}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return counted(bytes, "byte");
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"];
  return `${readable(size, 1)} ${unit}`;
}
