import { beforeEach, describe, expect } from "vitest";
import { resources as apiResources } from "../../app/surfaces/v1/index.server.ts";
import { resources as proxyResources } from "../../app/surfaces/app-proxy/index.server.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";

// Operations that are mounted on several surfaces do the same on each of them.

let service: InProcessApp;
let call: Call;
/** Two shops with the same data: one is called through the API, the other through its app proxy. */
let shops: [TestShop, TestShop];

test.override("appOptions", { env: SHOPIFY_ENV });
test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
});
beforeEach(async () => {
  const make = () => makeShop(service, call, { plan: "growth", products: { "1": "11", "2": "12" } });
  shops = [await make(), await make()];
});

type Input = Readonly<Record<string, unknown>>;
type Ask = (operationId: string, input?: Input) => Promise<ApiResponse>;

const CUSTOMER = "77";

/** Saves a variant of product 1. */
async function save(shop: TestShop, variant: string): Promise<void> {
  const json = { product_id: "1", variant_id: variant };
  (await call("POST", `/v1/wishlists/${CUSTOMER}/items`, { token: shop.token, json })).data();
}

/** The input of an operation by where the API takes it. */
function throughApi(shop: TestShop): Ask {
  return (operationId, input = {}) => {
    const found = apiResources.flatMap(({ path, endpoints }) =>
      endpoints.filter((one) => one.operationId === operationId).map(({ method }) => ({ method, path })),
    )[0];
    if (!found) throw new Error(`the API has no ${operationId}`);
    const rest = new Map(Object.entries({ customerId: CUSTOMER, listId: "default", ...input }));
    const path = found.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    rest.delete("customerId");
    rest.delete("listId");
    const variant = rest.get("variant_id");
    rest.delete("variant_id");
    const query = variant === undefined ? "" : `?variant_id=${variant}`;
    const takesBody = found.method === "POST" || found.method === "PATCH";
    return call(found.method, `${path}${query}`, {
      token: shop.token,
      ...(takesBody && { json: Object.fromEntries(rest) }),
    });
  };
}

function throughAppProxy(shop: TestShop): Ask {
  const ask = visitor(service, { shop: shop.domain, customer: CUSTOMER });
  return (operationId, input = {}) => ask("POST", `/api/${operationId}`, { json: input });
}

/** What is left of a text or row when ids, times and the surface's own name are taken out. */
function comparable(value: unknown, known = new Map<string, string>()): unknown {
  const text = JSON.stringify(value, (key, one: unknown) => {
    if (/^(?:shop_id|id|wishlist_id|share_link_id|seq|item_seq|source|token_\w+)$/.test(key)) return undefined;
    if (/(?:^at|_at|At|^day)$/.test(key) && one !== null) return "time";
    return one;
  });
  return JSON.parse(
    text.replaceAll(/lst_\w+/g, (id) => {
      const name = known.get(id) ?? `list ${known.size + 1}`;
      known.set(id, name);
      return name;
    }),
  );
}

/** The data that the API returns too, without what the app proxy adds. */
function sharedData(response: ApiResponse, counts: "itemCount" | "listCount"): unknown {
  const { owner: _, shareToken: __, shareUrl, ...data } = response.data<Record<string, unknown>>();
  const { itemCount, listCount, ...rest } = data;
  const inList = counts === "itemCount" ? itemCount : listCount;
  return comparable({
    ...rest,
    ...(inList !== undefined && { inList }),
    ...(shareUrl !== undefined && { shareUrl: "a link" }),
  });
}

const shared = proxyResources
  .flatMap(({ endpoints }) => endpoints.map(({ operationId }) => operationId))
  .filter((id) => apiResources.some(({ endpoints }) => endpoints.some(({ operationId }) => operationId === id)));

interface Case {
  /** changes before the operation */
  given?: (ask: Ask, shop: TestShop) => Promise<Input>;
  input: (given: Input) => Input;
  /** the error of both surfaces; undefined for success */
  code?: string;
}

/** Creates a list. */
async function aList(ask: Ask): Promise<Input> {
  const { listId } = (await ask("createList", { name: "Birthday" })).data<{ listId: string }>();
  return { listId };
}

const item = { productId: "1", variant_id: "11" };

const CASES: Readonly<Record<string, readonly Case[]>> = {
  createList: [
    { input: () => ({ name: " Birthday " }) },
    { given: aList, input: () => ({ name: "birthday" }), code: "list_name_taken" },
    { input: () => ({ name: "" }), code: "invalid_request" },
  ],
  updateList: [
    { given: aList, input: ({ listId }) => ({ listId, name: "Party", position: 3 }) },
    { input: () => ({ listId: "lst_unknown", name: "Party" }), code: "list_not_found" },
    { given: aList, input: ({ listId }) => ({ listId }), code: "invalid_request" },
  ],
  deleteList: [
    { given: aList, input: (given) => given },
    { input: () => ({ listId: "default" }), code: "default_list" },
  ],
  restoreList: [
    {
      async given(ask) {
        const { listId } = await aList(ask);
        const { version } = (await ask("deleteList", { listId })).data<{ version: number }>();
        return { listId, version: version - 1 };
      },
      input: (given) => given,
    },
    { given: aList, input: ({ listId }) => ({ listId, version: 99 }), code: "version_not_found" },
  ],
  updateListItem: [
    { input: () => ({ ...item, quantity: 2, note: " For Anna ", properties: { size: "M" } }) },
    { input: () => ({ ...item, productId: "2", variant_id: "12", quantity: 2 }), code: "item_not_found" },
    { input: () => item, code: "invalid_request" },
    {
      async given(_, shop) {
        await save(shop, "12");
        return {};
      },
      input: () => ({ productId: "1", quantity: 2 }),
      code: "invalid_request",
    },
    { input: () => ({ ...item, quantity: 1000 }), code: "invalid_request" },
  ],
  changeListItems: [
    {
      input: () => ({
        operations: [
          { op: "add", productId: "2", variantId: "12", quantity: 2 },
          { op: "update", productId: "1", variantId: "11", position: 1 },
        ],
      }),
    },
    { input: () => ({ operations: [{ op: "remove", productId: "1", variantId: "11" }] }) },
    {
      input: () => ({ operations: [{ op: "update", productId: "2", variantId: "12", quantity: 2 }] }),
      code: "item_not_found",
    },
    { input: () => ({ operations: [] }), code: "invalid_request" },
    {
      input: () => ({ listId: "lst_unknown", operations: [{ op: "remove", productId: "1" }] }),
      code: "list_not_found",
    },
  ],
  moveListItems: [
    { given: aList, input: ({ listId }) => ({ to: listId, items: [{ productId: "1" }] }) },
    { given: aList, input: ({ listId }) => ({ to: listId, items: [{ productId: "1" }], copy: true }) },
    { given: aList, input: ({ listId }) => ({ to: listId, items: [{ productId: "2" }] }), code: "item_not_found" },
    { input: () => ({ to: "default", items: [{ productId: "1" }] }), code: "invalid_request" },
  ],
  recordCart: [
    { input: () => ({ event_id: "e", items: [{ product_id: "1", variant_id: "11" }] }) },
    { input: () => ({ event_id: "e", items: [{ product_id: "2", variant_id: "12" }] }) },
    { input: () => ({ event_id: "", items: [{ product_id: "1", variant_id: "11" }] }), code: "invalid_request" },
  ],
  shareList: [
    { input: () => ({}) },
    { given: aList, input: (given) => given },
    { input: () => ({ listId: "lst_unknown" }), code: "list_not_found" },
  ],
  updateListShareLink: [
    { input: () => ({ shared_by: "Ana" }) },
    {
      async given(ask) {
        await ask("shareList");
        return {};
      },
      input: () => ({ shared_by: null }),
    },
    { given: aList, input: (given) => ({ ...given, shared_by: "Ana" }) },
    { input: () => ({ shared_by: "" }), code: "invalid_request" },
    { input: () => ({ listId: "lst_unknown", shared_by: "Ana" }), code: "list_not_found" },
  ],
  revokeListShareLink: [
    { input: () => ({}) },
    {
      async given(ask) {
        await ask("shareList");
        return {};
      },
      input: () => ({}),
    },
    { input: () => ({ listId: "lst_unknown" }), code: "list_not_found" },
  ],
};

test("every shared operation is compared", () => {
  expect(shared.length).toBeGreaterThan(5);
  expect(Object.keys(CASES).sort()).toEqual(shared.toSorted());
});

describe.each(shared)("%s", (operationId) => {
  test.for((CASES[operationId] ?? []).map((one, index) => [one.code ?? "success", index, one] as const))(
    "%s (%i) is the same through the API and through the app proxy",
    async ([, , { given, input, code }]) => {
      const outcomes = [];
      for (const [index, counts] of [
        [0, "itemCount"],
        [1, "listCount"],
      ] as const) {
        const shop = shops[index];
        const ask = index === 0 ? throughApi(shop) : throughAppProxy(shop);
        await save(shop, "11");
        const response = await ask(operationId, input((await given?.(ask, shop)) ?? {}));
        outcomes.push({
          result: code === undefined ? sharedData(response, counts) : response.error().code,
          rows: comparable(await everythingStored(service.database, shop.id)),
        });
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
      if (code !== undefined) expect(outcomes[0]?.result).toBe(code);
    },
  );
});
