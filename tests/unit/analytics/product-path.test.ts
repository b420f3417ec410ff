import { matchRoutes } from "@remix-run/react";
import fc from "fast-check";
import { expect, test } from "vitest";
import { productIdIn, productPath } from "../../../app/analytics/product-path.ts";
import { productIdSchema } from "../../../app/wishlists/identifiers.ts";

/** Returns the id that the page's loader receives through a browser's URL and Remix's router. */
function arrived(productId: string): string | undefined {
  const { pathname } = new URL(productPath(productId), "https://app.example.com");
  const [match] = matchRoutes([{ path: "/app/analytics/products/:productId" }], pathname) ?? [];
  return productIdSchema.safeParse(productIdIn(match?.params["productId"] ?? "")).data;
}

test.each([
  "8400011218809",
  "a/b",
  "a%2Fb",
  "a%252Fb",
  "100%",
  "%",
  "?x=1#y",
  "...",
  "x.data",
  "a b".replace(" ", "+"),
])("a product's path leads to its page for the id: %s", (id) => {
  expect(arrived(id)).toBe(id);
  expect(productPath(id)).not.toMatch(/\.data$/);
});

test("a product's path leads to its page for any id", () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const ids = fc
    .string({ unit: visible, minLength: 1, maxLength: 255 })
    .filter((id) => productIdSchema.safeParse(id).data === id);
  fc.assert(
    fc.property(ids, (id) => {
      expect(arrived(id)).toBe(id);
    }),
  );
});

test("a typed path works for a plain id and a GID", () => {
  expect(productPath("8400011218809")).toBe("/app/analytics/products/8400011218809");
  expect(productIdSchema.parse(productIdIn("gid://shopify/Product/8400011218809"))).toBe("8400011218809");
});
