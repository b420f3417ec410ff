import { createStorefrontClient, type StorefrontClient } from "@wishlist-headless/sdk";
import { expect } from "vitest";
import { storeOf, type Store } from "../../../packages/react/src/store.ts";
import { test as base } from "../../support/app/fixtures.ts";
import { ORIGIN, publishKey } from "../../support/app/shop.ts";
import { until } from "../../support/until.ts";

/** A component that shows a cell. */
interface Shown {
  status: () => string;
  unmount: () => void;
}

const PRODUCTS = Array.from({ length: 600 }, (_, index) => String(index + 1));

/** Requests whose responses wait. */
let held: Promise<undefined> | undefined;
/** what was requested of lists, such as `GET items?limit=50` */
const requests: string[] = [];

/** Sends a request as the SDK does, and notes it. */
const noted: typeof fetch = async (input, init) => {
  const { method, url } = new Request(input, init);
  const [, path] = url.split("/lists/default/");
  if (path !== undefined) requests.push(`${method} ${path}`);
  const response = await fetch(input, init);
  if (init?.method === "POST") await held;
  return response;
};

const test = base
  .override({ shopOptions: { products: { lamp: "lamp-1", rug: "rug-1" } } })
  .extend("client", async ({ app, shop }): Promise<StorefrontClient> => {
    const publishableKey = await publishKey(shop);
    const client = createStorefrontClient({ url: await app.listen(), publishableKey, origin: ORIGIN, fetch: noted });
    await client.wishlists.items.add({ product_id: "lamp" });
    requests.length = 0;
    return client;
  })
  .extend("store", ({ client }): Store => storeOf(client));

function show(view: ReturnType<Store["productOf"] | Store["pageOf"]> | Store["lists"]): Shown {
  return { status: () => view.state().status, unmount: view.watch(() => undefined) };
}

async function untilRead(...shown: readonly Shown[]): Promise<void> {
  await until("everything to be read", () => shown.every(({ status }) => status() === "ready"));
}

test("equal selections are read once and shared, whatever the order of their properties", async ({ store }) => {
  const views = [
    store.pageOf({ sort: "price", direction: "asc" }),
    store.pageOf({ direction: "asc", sort: "price", q: undefined }),
    store.pageOf({ direction: "asc", limit: 50, listId: "default", sort: "price" }),
  ];
  await untilRead(...views.map(show));
  expect(requests.map((request) => request.replace(/\?.*/, ""))).toEqual(["GET items"]);
  expect(new Set(views.map((view) => view.state())).size).toBe(1);
  expect(store.pageOf({ direction: "asc", sort: "price" })).toBe(store.pageOf({ sort: "price", direction: "asc" }));
});

test("selections that no component shows any more are evicted, except the last", async ({ store }) => {
  const selections = Array.from({ length: 30 }, (_, index) => ({ q: `word ${index}` }));
  for (const selection of selections) {
    const shown = show(store.pageOf(selection));
    await untilRead(shown);
    shown.unmount();
  }
  const statuses = () => selections.map((selection) => store.pageOf(selection).state().status);
  await until("the first 10 selections to be evicted", () => statuses()[9] === "loading");
  expect(statuses()).toEqual([...Array<string>(10).fill("loading"), ...Array<string>(20).fill("ready")]);
});

test("products that no component shows any more are evicted, except the last", async ({ store }) => {
  const shown = PRODUCTS.map((id) => show(store.productOf(id)));
  await untilRead(...shown);
  for (const { unmount } of shown) unmount();
  await until("the first product to be evicted", () => store.productOf("1").state().status === "loading");
  const known = PRODUCTS.filter((id) => store.productOf(id).state().status === "ready");
  expect(known).toEqual(PRODUCTS.slice(-250));
});

test("what is rendered and not shown, as on a server, is not kept", ({ store }) => {
  const rendered = store.productOf("lamp");
  expect(store.productOf("lamp")).not.toBe(rendered);
});

test("a selection that is shown again after it was evicted is read again", async ({ store }) => {
  const view = store.pageOf({});
  const shown = show(view);
  await untilRead(shown);
  expect(view.state().items).toHaveLength(1);
  shown.unmount();
  for (const index of Array.from({ length: 21 }).keys()) show(store.pageOf({ q: String(index) })).unmount();
  await until("the selection to be evicted", () => view.state().items.length === 0);
  await untilRead(show(view));
  expect(view.state().items).toHaveLength(1);
});

test("a product whose change waits is counted although no component shows it", async ({ store }) => {
  await untilRead(show(store.lists));
  const { promise, resolve } = Promise.withResolvers<undefined>();
  held = promise;
  const saved = store.save(true, { productId: "rug" });
  const shown = PRODUCTS.map((id) => show(store.productOf(id)));
  await untilRead(...shown);
  for (const { unmount } of shown) unmount();
  await until("the first product to be evicted", () => store.productOf("1").state().status === "loading");
  expect(store.lists.state().savedCount).toBe(2);
  resolve(undefined);
  expect(await saved).toBe(true);
  held = undefined;
  expect(store.lists.state().savedCount).toBe(2);
});
