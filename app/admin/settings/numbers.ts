/** 1 item, 2 items, 1,000 items */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return counted(bytes, "byte");
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"];
  return `${size.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
