import { expect, test } from "vitest";
import { csv } from "../../../app/analytics/csv.ts";

test("a table is UTF-8 with its mark, lines end with CRLF, the last one too", () => {
  expect(
    csv(
      ["Date", "Added"],
      [
        ["2026-11-20", 3],
        ["2026-11-21", 0],
      ],
    ),
  ).toBe("\u{FEFF}Date,Added\r\n2026-11-20,3\r\n2026-11-21,0\r\n");
});

test("a cell with a comma, a quote or a line break is quoted, and its quotes are doubled", () => {
  expect(csv(["a"], [["x,y"], ['12" pan'], ["two\nlines"], ["two\r\nlines"], [null]])).toBe(
    '\u{FEFF}a\r\n"x,y"\r\n"12"" pan"\r\n"two\nlines"\r\n"two\r\nlines"\r\n\r\n',
  );
});

test.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx"])(
  "a text that spreadsheets would take for a formula stays a text: %j",
  (text) => {
    const [, cell = ""] = csv(["a"], [[text]]).split("a\r\n");
    expect(cell.replace(/^"/, "").startsWith(`'${text}`)).toBe(true);
  },
);

test("a number below zero is a number", () => {
  expect(csv(["a"], [[-3]])).toBe("\u{FEFF}a\r\n-3\r\n");
});
