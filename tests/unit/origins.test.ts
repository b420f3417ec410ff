import { expect, test } from "vitest";
import { originsSchema, parseOrigin } from "../../app/access/origins.ts";

test.each([
  ["https://www.shop.example", "https://www.shop.example"],
  ["HTTPS://WWW.Shop.Example/", "https://www.shop.example"],
  ["https://shop.example:443", "https://shop.example"],
  ["https://shop.example:8443", "https://shop.example:8443"],
  ["https://*.shop.example", "https://*.shop.example"],
  ["http://localhost:5173", "http://localhost:5173"],
  ["http://127.0.0.1:80", "http://127.0.0.1"],
  ["http://[::1]:3000", "http://[::1]:3000"],
  ["https://xn--bcher-kva.example", "https://xn--bcher-kva.example"],
])("the origin %s is kept as %s", (given, kept) => {
  expect(parseOrigin(given)).toBe(kept);
});

test.each([
  "",
  "*",
  "null",
  "shop.example",
  "http://shop.example",
  "https://*",
  "https://*.com",
  "https://a.*.example",
  "https://shop.example/path",
  "https://shop.example?query",
  "https://user@shop.example",
  "https://shop.example:0",
  "https://shop.example:70000",
  "https://-shop.example",
  "https://shop..example",
  "javascript:alert(1)",
  `https://${"a".repeat(260)}.example`,
])("%s is no origin", (given) => {
  expect(parseOrigin(given)).toBeUndefined();
});

test("origins are separated by spaces, commas or line breaks, and each is kept once", () => {
  const text = "https://a.example,https://b.example\nhttps://a.example/  http://localhost";
  expect(originsSchema.parse(text)).toEqual(["https://a.example", "https://b.example", "http://localhost"]);
});

test("more than 20 origins are refused", () => {
  const text = Array.from({ length: 21 }, (_, n) => `https://shop-${n}.example`).join(" ");
  expect(originsSchema.safeParse(text).error?.issues).toMatchObject([{ message: "Enter at most 20 origins." }]);
});
