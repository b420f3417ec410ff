type Cell = string | number | null;

/** What spreadsheets take for a formula when a cell begins with it. */
const FORMULA = /^[=+\-@\t\r\n]/;

function written(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  // A product's title is not the merchant's alone to choose: with an apostrophe before it, it stays a text.
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as RFC 4180 has it, in UTF-8 with the mark by which spreadsheets know it. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map(written).join(","));
  return `\u{FEFF}${lines.join("\r\n")}\r\n`;
}
