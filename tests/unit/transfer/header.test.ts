import { expect, test } from "vitest";
import { readHeader } from "../../../app/wishlists/transfer/line.ts";

test("a header accepts any order and separator, and a missing owner kind", () => {
  const columns = ["added_at", "owner_id", "variant_id", "product_id"];
  for (const delimiter of [",", ";", "\t"]) expect(readHeader(columns.join(delimiter))).toEqual({ delimiter, columns });
  expect(readHeader('"Owner_ID", product_id,variant_id,ADDED_AT')).toMatchObject({ delimiter: "," });
});

test.each([
  ["", "Add the missing columns: owner_id, product_id, variant_id, added_at."],
  ["owner_id,product_id,added_at", "Add the missing columns: variant_id."],
  ["owner_id,product_id,variant_id,added_at,colour", "Remove the other columns."],
  ["owner_id,owner_id,product_id,variant_id,added_at", "Name each column once."],
  ["7012503486663,1,2,2026-11-20T09:30:00Z", "Add the missing columns: owner_id"],
])("a file that begins with %j is refused with the reason", (record, reason) => {
  expect(readHeader(record)).toContain(reason);
});
