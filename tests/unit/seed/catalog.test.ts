import { describe, expect, test } from "vitest";
import { generateShop } from "../../../prisma/seed/generate.ts";

describe("the catalog of the seed", () => {
  const { products, currency } = generateShop(new Date("2026-07-15T18:30:00.000Z"));
  const variants = products.flatMap((product) => product.variants);

  test("has enough products, types and vendors", () => {
    expect(products.length).toBeGreaterThanOrEqual(72);
    expect(new Set(products.map(({ productType }) => productType)).size).toBeGreaterThanOrEqual(12);
    expect(currency).toBe("EUR");
  });

  test("has unique ids, handles and titles in Shopify's form", () => {
    expect(new Set(products.map(({ productId }) => productId)).size).toBe(products.length);
    expect(new Set(products.map(({ handle }) => handle)).size).toBe(products.length);
    expect(new Set(products.map(({ title }) => title)).size).toBe(products.length);
    expect(new Set(variants.map(({ variantId }) => variantId)).size).toBe(variants.length);
    for (const { productId, handle } of products) {
      expect(productId).toMatch(/^[1-9]\d{12}$/);
      expect(handle).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
    for (const { variantId } of variants) expect(variantId).toMatch(/^[1-9]\d{13}$/);
  });

  test("has 1 to 6 variants with unique titles per product", () => {
    const counts = new Set(products.map((product) => product.variants.length));
    expect([...counts].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const product of products) {
      const titles = product.variants.map(({ title }) => title);
      expect(new Set(titles).size).toBe(titles.length);
      expect(titles.includes("Default Title")).toBe(titles.length === 1);
    }
  });

  test("has prices of whole cents between 5 and 1,000 euros", () => {
    for (const { priceCents } of variants) {
      expect(Number.isInteger(priceCents)).toBe(true);
      expect(priceCents).toBeGreaterThanOrEqual(5_00);
      expect(priceCents).toBeLessThanOrEqual(1_000_00);
    }
  });

  test("has some unavailable variants and a few sold-out products", () => {
    const unavailable = variants.filter(({ available }) => !available).length;
    expect(unavailable / variants.length).toBeGreaterThan(0.03);
    expect(unavailable / variants.length).toBeLessThan(0.2);
    const soldOut = products.filter((product) => product.variants.every(({ available }) => !available));
    expect(soldOut.length).toBeGreaterThanOrEqual(2);
    expect(soldOut.length).toBeLessThanOrEqual(6);
  });
});
