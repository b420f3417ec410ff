import fc from "fast-check";
import { expect, test } from "vitest";
import { unescapeCell, textCell } from "../../../app/platform/text/csv.ts";
import { idCell } from "../../../app/wishlists/transfer/ids.ts";
import { readHeader, readLine } from "../../../app/wishlists/transfer/line.ts";

const header = readHeader("owner_id,product_id,variant_id,added_at");

/** Returns the item of a CSV line, or its problem. */
function read(line: string) {
  if (typeof header === "string") throw new Error(header);
  const next = { byte: 0, line: 8 };
  return readLine({ line: 7, bytes: Buffer.from(line), flaw: undefined, next }, "csv", header);
}

const AT = "2026-01-02T03:04:05Z";

test.each(["8.40193E+12", "8,40193E+12", "8.40193e12", "84E+11"])(
  "an id that a spreadsheet shortened to %s is refused with its line",
  (id) => {
    const cell = id.includes(",") ? `"${id}"` : id;
    expect(read(`c,${cell},v,${AT}`)).toEqual([
      { line: 7, field: "product_id", problem: expect.stringContaining("shortened by a spreadsheet") as unknown },
    ]);
  },
);

test.each(['"8,401,930,311,165"', "8.401.930.311.165", "8401930311165.00", '"8401930311165,0"'])(
  "an id that a spreadsheet formatted as %s is refused with its line",
  (cell) => {
    expect(read(`c,1,${cell},${AT}`)).toEqual([
      { line: 7, field: "variant_id", problem: expect.stringContaining("formatted as a number") as unknown },
    ]);
  },
);

test("every id of a line that a spreadsheet changed is reported", () => {
  expect(read(`7.01E+12,8.4E+12,4.4E+13,${AT}`)).toMatchObject([
    { field: "owner_id" },
    { field: "product_id" },
    { field: "variant_id" },
  ]);
});

test("a Shopify id is written as a GID and read as the same id", () => {
  expect(idCell("Product", "8401930311165")).toBe("gid://shopify/Product/8401930311165");
  const cells = [
    idCell("Customer", "7012503486663"),
    idCell("Product", "007"),
    idCell("ProductVariant", "44003118551387"),
  ];
  expect(read(`${cells.join(",")},${AT}`)).toMatchObject({
    ownerId: "7012503486663",
    item: { productId: "007", variantId: "44003118551387" },
  });
});

test.each(["1E5", "12-3", "3/4", "1.50", "true", "SEPT2", "mar-1"])(
  "an id that a spreadsheet would convert, %s, is written as text and read back",
  (id) => {
    expect(idCell("Product", id)).toBe(`'${id}`);
    expect(read(`c,${idCell("Product", id)},v,${AT}`)).toMatchObject({ item: { productId: id } });
  },
);

test("any text is read back unchanged", () => {
  const text = fc.string({ unit: fc.constantFrom("1", "E", "+", "'", ".", "-", "a", "=", "true") });
  fc.assert(
    fc.property(text, (value) => {
      expect(unescapeCell(textCell(value))).toBe(value);
    }),
  );
});
