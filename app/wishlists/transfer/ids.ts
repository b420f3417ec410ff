import { csvCell, textCell } from "../../platform/text/csv.ts";

export type IdKind = "Customer" | "Product" | "ProductVariant";

/**
 * Returns an id as a CSV cell. Spreadsheets turn a long number into 8.40193E+12, so Shopify's ids are written as GIDs, which stay text and mean
 * the same everywhere.
 */
export function idCell(kind: IdKind, id: string): string {
  return /^\d+$/.test(id) ? `gid://shopify/${kind}/${id}` : textCell(id);
}

const EXPONENT = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i;
const GROUPED = /^\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]0+)?$/;
const DECIMAL = /^\d+[.,]0+$/;

/**
 * Returns the problem of an id that a spreadsheet has converted to a number.
 * @param cell of a CSV file, including the apostrophe with which spreadsheets mark text
 */
export function spreadsheetProblem(cell: string): string | undefined {
  if (EXPONENT.test(cell)) {
    return "was shortened by a spreadsheet, and its last digits are lost; export the file again, or format the column as text and enter the id anew";
  }
  if (GROUPED.test(cell) || DECIMAL.test(cell)) {
    return "was formatted as a number by a spreadsheet; format the column as text and enter the id without separators";
  }
  return undefined;
}

/** Returns an owner's id as a CSV cell. The hash of a guest's id is never mistaken for a number. */
export function ownerCell(kind: string, id: string): string {
  return kind === "customer" ? idCell("Customer", id) : csvCell(id);
}
