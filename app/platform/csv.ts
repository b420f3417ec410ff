/**
 * A spreadsheet takes what begins like this for a formula, and would run it. Such a cell gets an apostrophe before it (OWASP, "CSV
 * injection"); so does one that begins with an apostrophe, so that taking one away again gives what was there.
 */
const FORMULA_START = /^[=+\-@\t\r\n']/;

/** A spreadsheet takes such a text for a number, a date or a truth value, and saves another text in its place. */
const CONVERTED_BY_SPREADSHEETS =
  /^(?:[\d.,].*|true|false|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ \-./]?\d+)$/i;

/** A cell whose text a spreadsheet keeps. `plainCell` takes the apostrophe off again. */
export function textCell(value: string): string {
  return CONVERTED_BY_SPREADSHEETS.test(value) ? quoted(`'${value}`) : csvCell(value);
}

function quoted(text: string): string {
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell as it stands in a file (RFC 4180). */
export function csvCell(value: string): string {
  return quoted(FORMULA_START.test(value) ? `'${value}` : value);
}

/** What `csvCell` or `textCell` was given. */
export function unescapeCell(cell: string): string {
  const rest = cell.slice(1);
  return cell.startsWith("'") && (FORMULA_START.test(rest) || CONVERTED_BY_SPREADSHEETS.test(rest)) ? rest : cell;
}

export function csvRecord(values: readonly string[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/** A table for spreadsheets, with the mark by which they know UTF-8. A number is none that could be a formula. */
export function csvTable(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const written = (cell: string | number | null): string =>
    typeof cell === "number" ? String(cell) : csvCell(cell ?? "");
  return `\u{FEFF}${csvRecord(head)}${rows.map((cells) => `${cells.map(written).join(",")}\r\n`).join("")}`;
}

/** The place of the quote that ends the cell whose quote is at `from`; -1 when there is none. */
function closingQuote(record: string, from: number): number {
  for (let at = record.indexOf('"', from + 1); at >= 0; at = record.indexOf('"', at + 2)) {
    if (record[at + 1] !== '"') return at;
  }
  return -1;
}

/**
 * The cells of a record, as they stand in the file.
 * @returns undefined when a quoted cell does not end where it should
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
