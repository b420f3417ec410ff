import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, csvCells, csvRecord, plainCell } from "../../../app/wishlists/transfer/csv.ts";
import { readHeader } from "../../../app/wishlists/transfer/line.ts";

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])("a spreadsheet does not take %j for a formula", (value) => {
  expect(csvCell(value).replace(/^"/, "")).toMatch(/^'/);
});

test("what is no formula stands as it is", () => {
  expect(csvRecord(["customer", "7012503486663", "a=b"])).toBe("customer,7012503486663,a=b\r\n");
});

test("whatever is written is read again", () => {
  const cell = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "'", '"', ",", ";", "\t", "\r", "\n", "a") }),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2 }), (cells) => {
      const record = csvRecord(cells).replace(/\r\n$/, "");
      expect(csvCells(record, ",")?.map(plainCell)).toEqual(cells);
    }),
  );
});

test.each(['"a', 'a,"b"c', '"a""', '"a" ,b'])("%j has a quote that encloses no whole cell", (record) => {
  expect(csvCells(record, ",")).toBeUndefined();
});

test("columns may come in any order and separated as spreadsheets do, and the owner's kind may be missing", () => {
  const columns = ["added_at", "owner_id", "variant_id", "product_id"];
  for (const delimiter of [",", ";", "\t"]) expect(readHeader(columns.join(delimiter))).toEqual({ delimiter, columns });
  expect(readHeader('"Owner_ID", product_id,variant_id,ADDED_AT')).toMatchObject({ delimiter: "," });
});

test.each([
  ["", "lacks owner_id, product_id, variant_id, added_at"],
  ["owner_id,product_id,added_at", "lacks variant_id"],
  ["owner_id,product_id,variant_id,added_at,note", "has others, too"],
  ["owner_id,owner_id,product_id,variant_id,added_at", "names one of them twice"],
  ["7012503486663,1,2,2026-11-20T09:30:00Z", "lacks owner_id"],
])("a file that begins with %j is refused with the reason", (record, reason) => {
  expect(readHeader(record)).toContain(reason);
});
