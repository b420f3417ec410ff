/**
 * Spreadsheets evaluate a cell that begins with one of these characters as a formula, in full width as well. Such a cell gets an apostrophe prefix (OWASP, "CSV
 * injection"). A cell that begins with an apostrophe gets one as well, so that removing the prefix restores the value.
 */
const FORMULA_START = /^[=+\-@＝＋－＠\t\r\n']/;

/** Spreadsheets convert such a text to a number, a date or a boolean, and save a different text. */
const CONVERTED_BY_SPREADSHEETS =
  /^(?:[\d.,].*|true|false|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ \-./]?\d+)$/i;

/** Returns a cell whose text a spreadsheet does not convert. `unescapeCell` removes the apostrophe. */
export function textCell(value: string): string {
  return CONVERTED_BY_SPREADSHEETS.test(value) ? quoted(`'${value}`) : csvCell(value);
}

function quoted(text: string): string {
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a cell in the form of a file (RFC 4180). */
export function csvCell(value: string): string {
  return quoted(FORMULA_START.test(value) ? `'${value}` : value);
}

/** Returns the value that `csvCell` or `textCell` was called with. */
export function unescapeCell(cell: string): string {
  const rest = cell.slice(1);
  return cell.startsWith("'") && (FORMULA_START.test(rest) || CONVERTED_BY_SPREADSHEETS.test(rest)) ? rest : cell;
}

export function csvRecord(values: readonly string[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/** Returns a table for spreadsheets, with a byte order mark for UTF-8. Numbers are not escaped. */
export function csvTable(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const written = (cell: string | number | null): string =>
    typeof cell === "number" ? String(cell) : csvCell(cell ?? "");
  return `\u{FEFF}${csvRecord(head)}${rows.map((cells) => `${cells.map(written).join(",")}\r\n`).join("")}`;
}

/** Returns the index of the closing quote of the cell whose opening quote is at `from`, or -1. */
function closingQuote(record: string, from: number): number {
  for (let at = record.indexOf('"', from + 1); at >= 0; at = record.indexOf('"', at + 2)) {
    if (record[at + 1] !== '"') return at;
  }
  return -1;
}

/**
 * Splits a record into its cells, without unescaping them.
 * @returns undefined when the closing quote of a cell is missing or misplaced
 */
export function csvCells(record: string, delimiter: string): string[] | undefined {
  if (!record.includes('"')) return record.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    let end: number;
    if (record[at] === '"') {
      const quote = closingQuote(record, at);
      if (quote < 0) return undefined;
      cells.push(record.slice(at + 1, quote).replaceAll('""', '"'));
      end = quote + 1;
    } else {
      const next = record.indexOf(delimiter, at);
      end = next < 0 ? record.length : next;
      cells.push(record.slice(at, end));
    }
    if (end === record.length) return cells;
    if (record[end] !== delimiter) return undefined;
    at = end;
  }
}
