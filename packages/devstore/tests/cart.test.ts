// @module-tag matrix

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { startStage, type Stage } from "./fixtures/devstore.ts";

const IN_STOCK = 44003118551387;
const SOLD_OUT = 44000287612134;

let stage: Stage;
let cookie: string;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => stage.close());
beforeEach(() => {
  cookie = "";
});

const cartSchema = z.looseObject({
  item_count: z.number(),
  total_price: z.number(),
  items: z.array(
    z.looseObject({
      key: z.string(),
      id: z.number(),
      product_id: z.number(),
      quantity: z.number(),
      handle: z.string(),
    }),
  ),
});

async function ask(path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(stage.devstore.storefrontUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { cookie, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
  return { status: response.status, body: await response.json() };
}
const cart = async () => cartSchema.parse((await ask("/cart.js")).body);

test("adding a variant twice increases one line's quantity", async () => {
  const first = await ask("/cart/add.js", { items: [{ id: IN_STOCK, quantity: 2 }] });
  expect(first.body).toMatchObject({
    items: [{ id: IN_STOCK, product_id: 8401930311165, quantity: 2, price: 24_900 }],
  });
  expect((await ask("/cart/add.js", { id: IN_STOCK })).body).toMatchObject({ id: IN_STOCK, quantity: 3 });
  expect(await cart()).toMatchObject({
    item_count: 3,
    total_price: 74_700,
    items: [{ handle: "hollowbrook-1-solo-tent" }],
  });
});

test("adding a variant with other properties creates another line", async () => {
  await ask("/cart/add.js", { id: IN_STOCK });
  await ask("/cart/add.js", { id: IN_STOCK, properties: { engraving: "A" } });
  expect((await cart()).items).toHaveLength(2);
});

test("quantities are changed by key, place or variant, and 0 removes the line", async () => {
  await ask("/cart/add.js", { id: IN_STOCK });
  const key = (await cart()).items[0]?.key;
  expect((await ask("/cart/change.js", { id: key, quantity: 4 })).body).toMatchObject({ item_count: 4 });
  expect((await ask("/cart/change.js", { line: 1, quantity: 5 })).body).toMatchObject({ item_count: 5 });
  expect((await ask("/cart/update.js", { updates: { [IN_STOCK]: 6 } })).body).toMatchObject({ item_count: 6 });
  expect((await ask("/cart/change.js", { line: 1, quantity: 0 })).body).toMatchObject({ item_count: 0, items: [] });
  await ask("/cart/add.js", { id: IN_STOCK });
  expect((await ask("/cart/clear.js", {})).body).toMatchObject({ item_count: 0 });
});

test.each([
  [{ id: SOLD_OUT }, 422, "already sold out"],
  [{ id: 1 }, 404, "Cannot find variant"],
  [{}, 400, "Parameter Missing"],
  [{ items: [{ id: IN_STOCK }, { id: SOLD_OUT }] }, 422, "already sold out"],
])("%j is refused with Shopify's message and adds nothing", async (body, status, description) => {
  const response = await ask("/cart/add.js", body);
  expect(response).toMatchObject({ status, body: { status, description: expect.stringContaining(description) } });
  expect((await cart()).item_count).toBe(0);
});

test("a response has the requested sections of the theme, rendered with the changed cart", async () => {
  const { body } = await ask("/cart/add.js", { id: IN_STOCK, quantity: 3, sections: ["cart-icon-bubble", "unknown"] });
  expect(body).toMatchObject({
    id: IN_STOCK,
    sections: {
      "cart-icon-bubble": expect.stringMatching(/<div [^>]*class="shopify-section">.*data-cart-count\s*>3</s),
      unknown: null,
    },
  });
});

test("each browser has its own cart", async () => {
  await ask("/cart/add.js", { id: IN_STOCK });
  cookie = "";
  expect((await cart()).item_count).toBe(0);
});

test("the Ajax API's product has its variants with prices in cents", async () => {
  const { body } = await ask("/products/hollowbrook-1-solo-tent.js");
  expect(body).toMatchObject({
    id: 8401930311165,
    price: 24_900,
    variants: [{ id: IN_STOCK, title: "Moss" }, { title: "Sand" }],
  });
  expect((await ask("/products/no-such-thing.js")).status).toBe(404);
});

test("without scripts, the remove button of a line removes it", async () => {
  await ask("/cart/add.js", { id: IN_STOCK });
  const page = await (await fetch(`${stage.devstore.storefrontUrl}/cart`, { headers: { cookie } })).text();
  const form = /<form[^>]*action="\/cart\/change".*?<\/form>/s.exec(page)?.[0] ?? "";
  // As a browser sends them: the form's fields, then the button that was pressed.
  const fields = [...form.matchAll(/<(?:input|button)(?=[^>]*(?:type="hidden"|type="number"|data-remove))[^>]*>/g)];
  const body = new URLSearchParams(
    fields.map(([tag]) => [/ name="([^"]*)"/.exec(tag)?.[1] ?? "", / value="([^"]*)"/.exec(tag)?.[1] ?? ""]),
  );
  const response = await fetch(`${stage.devstore.storefrontUrl}/cart/change`, {
    method: "POST",
    headers: { cookie },
    body,
    redirect: "manual",
  });
  expect(response.headers.get("location")).toBe("/cart");
  expect(cartSchema.parse((await ask("/cart.js")).body).item_count).toBe(0);
});

test("more than the store has is refused with 422, in one line or several, and changes nothing", async () => {
  const lamp = { id: 7, handle: "lamp", title: "Lamp", variants: [{ id: 71, inventory: { quantity: 3 } }] };
  stage.devstore.store().catalog.put(lamp);
  await ask("/cart/add.js", { id: 71, quantity: 2 });
  const refusal = { status: 422, body: { description: "You can only add 3 Lamp to the cart." } };
  expect(await ask("/cart/add.js", { id: 71, quantity: 2, properties: { engraving: "A" } })).toMatchObject(refusal);
  expect(await ask("/cart/change.js", { line: 1, quantity: 4 })).toMatchObject(refusal);
  expect((await cart()).item_count).toBe(2);
  expect((await ask("/cart/change.js", { line: 1, quantity: 3 })).body).toMatchObject({ item_count: 3 });
});

test("a line that its store keeps is shown so, and can't be removed", async () => {
  await ask("/cart/add.js", { id: IN_STOCK });
  const { carts } = stage.devstore.store();
  const token = decodeURIComponent(cookie.replace(/^cart=/, ""));
  const [line] = carts.open(token).lines;
  if (line) line.more = { has_components: true, instructions: { can_remove: false, can_update_quantity: true } };
  expect((await cart()).items).toMatchObject([{ has_components: true, instructions: { can_remove: false } }]);
  expect((await ask("/cart/change.js", { id: line?.key, quantity: 0 })).status).toBe(422);
  expect((await cart()).item_count).toBe(1);
});
