import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, csvCells, csvRecord, csvTable, unescapeCell } from "../../app/platform/text/csv.ts";

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠SUM(A1)", "\t=1", "\r=1", "\n=1"])(
  "%j is escaped so that spreadsheets do not run it as a formula",
  (value) => {
    expect(csvCell(value).replace(/^"/, "")).toMatch(/^'/);
  },
);

test("text that is not a formula is written unchanged", () => {
  expect(csvRecord(["customer", "7012503486663", "a=b"])).toBe("customer,7012503486663,a=b\r\n");
});

test("written cells are read back unchanged", () => {
  const cell = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "＝", "＠", "'", '"', ",", ";", "\t", "\r", "\n", "a") }),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2 }), (cells) => {
      const record = csvRecord(cells).replace(/\r\n$/, "");
      expect(csvCells(record, ",")?.map(unescapeCell)).toEqual(cells);
    }),
  );
});

test.each(['"a', 'a,"b"c', '"a""', '"a" ,b'])(
  "%j is rejected, because its quote does not enclose the cell",
  (record) => {
    expect(csvCells(record, ",")).toBeUndefined();
  },
);

test("a table is UTF-8 with a byte order mark and ends every line with CRLF", () => {
  expect(
    csvTable(
      ["Date", "Added"],
      [
        ["2026-11-20", 3],
        ["2026-11-21", 0],
      ],
    ),
  ).toBe("\u{FEFF}Date,Added\r\n2026-11-20,3\r\n2026-11-21,0\r\n");
});

test("a cell with a comma, a quote or a line break is quoted, and its quotes are doubled", () => {
  expect(csvTable(["a"], [["x,y"], ['12" pan'], ["two\nlines"], ["two\r\nlines"], [null]])).toBe(
    '\u{FEFF}a\r\n"x,y"\r\n"12"" pan"\r\n"two\nlines"\r\n"two\r\nlines"\r\n\r\n',
  );
});

test("a negative number is not escaped", () => {
  expect(csvTable(["a"], [[-3]])).toBe("\u{FEFF}a\r\n-3\r\n");
});
