// @module-tag matrix

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDevstore, type Devstore } from "../devstore.ts";
import { picturePath } from "../foundation/product-pictures.ts";

let shopify: Devstore;

beforeAll(async () => {
  shopify = await createDevstore({ data: "demo" });
});
afterAll(() => shopify.close());

const pictureOf = async (handle: string): Promise<string> =>
  (await fetch(shopify.url + picturePath({ handle }))).text();

describe("product pictures", () => {
  test("each product of the demo has its own SVG file", async () => {
    const placeholder = await pictureOf(shopify.store().catalog.create("A new product", 1_000).handle);
    const handles = shopify
      .store()
      .catalog.all()
      .map(({ handle }) => handle);
    for (const handle of handles.slice(0, -1)) {
      const svg = await pictureOf(handle);
      expect(svg, handle).toMatch(/^<svg /);
      expect(svg, handle).not.toBe(placeholder);
    }
  });

  test("a product without a file is shown with the placeholder", async () => {
    const { handle } = shopify.store().catalog.create("Another product", 1_000);
    const response = await fetch(shopify.url + picturePath({ handle }));
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(await response.text()).toMatch(/^<svg /);
  });

  test("a picture of an unknown product is not found", async () => {
    expect((await fetch(shopify.url + picturePath({ handle: "no-such-product" }))).status).toBe(404);
  });
});
