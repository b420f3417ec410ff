import { expect, test } from "vitest";
import { indexPath, parseCursor, parseListQuery, toSearch } from "../../app/wishlists/staff/list-filters.ts";

const parse = (query: string) => parseListQuery(new URLSearchParams(query));

test("filters and order survive the way through the address", () => {
  const text =
    "owner=guest&kind=named&stock=out&price=dropped&alerts=on&shared=on&activity=30d&min=10&max=99.5&sort=value&direction=asc";
  const { ignored, ...query } = parse(text);
  expect(ignored).toEqual([]);
  expect(toSearch(query).toString()).toBe(text);
});

test.each([
  "owner=nobody",
  "stock=in",
  "activity=1d",
  "min=-1",
  "min=1e9",
  `max=${"9".repeat(13)}`,
  "max=1.2345",
  "sort=name",
  "direction=up",
  "owner=guest'--",
])("%s is ignored and named, and the other filters stay", (bad) => {
  const { ignored, filters } = parse(`price=dropped&${bad}`);
  expect(ignored).toEqual([bad.split("=")[0]]);
  expect(filters).toEqual({ price: "dropped" });
});

test("parameters of other pages are none of the index's", () => {
  expect(parse("shop=x&host=y&embedded=1")).toEqual({ filters: {}, sort: "activity", direction: "desc", ignored: [] });
});

test("the address of the first page without filters has no query", () => {
  expect(indexPath(parse(""))).toBe("/app/wishlists");
});

test.each([
  ["activity", "1795000000000_7", { key: "1795000000000", id: "7" }],
  ["value", "12.50_7", { key: "12.50", id: "7" }],
  ["items", "3_7", { key: "3", id: "7" }],
  ["items", "12.50_7", undefined],
  ["items", "9999999999_7", undefined],
  ["activity", "1_0", undefined],
  ["value", "NaN_2", undefined],
  ["value", "", undefined],
] as const)("the cursor of the order by %s in %s", (sort, text, cursor) => {
  expect(parseCursor(new URLSearchParams({ before: text }), sort)).toEqual(cursor && { ...cursor, back: true });
});
