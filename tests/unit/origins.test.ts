import { expect, test } from "vitest";
import { allowsOrigin, originsSchema, parseOrigin } from "../../app/access/origins.ts";

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
  ["https://Bücher.example:8443/", "https://xn--bcher-kva.example:8443"],
  ["https://*.bücher.example", "https://*.xn--bcher-kva.example"],
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
  "https://bücher@shop.example",
  "https://shop.example@bücher.example",
  "https://bücher.example/path",
  "https://bücher .example",
  "https://ｓｈｏｐ。／.example",
  "https://shop.example.",
  "https://shop.example\\@evil.example",
  "https://shop.example https://evil.example",
  "https://shop.example:0",
  "https://shop.example:70000",
  "https://-shop.example",
  "https://shop..example",
  "javascript:alert(1)",
  `https://${"a".repeat(64)}.example`,
  `https://${"a.".repeat(125)}example`,
])("%s is no origin", (given) => {
  expect(parseOrigin(given)).toBeUndefined();
});

test("origins are separated by spaces, commas or line breaks, and each is kept once", () => {
  const text = "https://a.example,https://b.example\nhttps://a.example/  http://localhost";
  expect(originsSchema.parse(text)).toEqual(["https://a.example", "https://b.example", "http://localhost"]);
});

test("a text without origins is refused", () => {
  for (const text of ["", " ,\n"]) {
    expect(originsSchema.safeParse(text).error?.issues).toMatchObject([{ message: "Enter at least one origin." }]);
  }
});

test("more than 20 origins are refused", () => {
  const text = Array.from({ length: 21 }, (_, n) => `https://shop-${n}.example`).join(" ");
  expect(originsSchema.safeParse(text).error?.issues).toMatchObject([{ message: "Enter at most 20 origins." }]);
});

const ALLOWED = ["https://www.shop.example", "https://*.shop.example:8443", "http://localhost:5173"];

test.each([
  "https://www.shop.example",
  "https://a.shop.example:8443",
  "https://a.b.shop.example:8443",
  "http://localhost:5173",
])("a request from %s is allowed", (origin) => {
  expect(allowsOrigin(ALLOWED, origin)).toBe(true);
});

test("all entries that are no origins are named, of many the first ones", () => {
  const refused = (text: string) => originsSchema.safeParse(text).error?.issues[0]?.message;
  const advice = "Enter a scheme and a host, such as https://www.example.com.";
  expect(refused("a.example, https://good.example b.example")).toBe(
    `a.example and b.example are not origins. ${advice}`,
  );
  expect(refused("a b c d e f g")).toBe(`a, b, c, d, e, and 2 more are not origins. ${advice}`);
});

test.each([
  null,
  "",
  "null",
  "*",
  "https://shop.example",
  "https://shop.example:8443",
  "https://a.shop.example",
  "https://a.shop.example:443",
  "http://ab.shop.example:8443",
  "https://.shop.example:8443",
  "https://evil.example/.shop.example:8443",
  "https://evil.example:1.shop.example:8443",
  "https://evil@a.shop.example:8443",
  "https://*.shop.example:8443",
  "https://www.shop.example.",
  "HTTPS://WWW.SHOP.EXAMPLE",
  "https://www.shop.example:443",
  "https://www.shop.example/",
  "https://www.shop.example, https://evil.example",
  "https://www.shop.example https://evil.example",
  "http://localhost",
  "http://localhost:51730",
])("a request from %s is refused", (origin) => {
  expect(allowsOrigin(ALLOWED, origin)).toBe(false);
});
