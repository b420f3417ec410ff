import { beforeEach, describe, expect } from "vitest";
import en from "../../app/storefront/theme/locales/en.default.json" with { type: "json" };
import { resources as apiResources } from "../../app/surfaces/v1/index.server.ts";
import { resources as proxyResources } from "../../app/surfaces/app-proxy/index.server.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { turnOn } from "../support/app/alerts.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { addVariants, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";

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
    const takesBody = found.method === "POST" || found.method === "PATCH";
    const query = new URLSearchParams();
    for (const [name, value] of rest) {
      if (takesBody && (name !== "variant_id" || !found.path.endsWith("{productId}"))) continue;
      query.set(name, value);
      rest.delete(name);
    }
    return call(found.method, `${path}?${query.toString()}`, {
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

/** Returns all that a change to lists or alerts stores. */
async function stored(shop: TestShop): Promise<unknown> {
  const alerts = await service.database.rows(
    `SELECT 'consent' AS of, kind, given::text, wording, locale FROM alert_consent WHERE shop_id = $1
      UNION ALL
     SELECT 'request', kind, variant_id, target_price::text, locale FROM alert_request WHERE shop_id = $1 ORDER BY 1, 2, 3`,
    [shop.id],
  );
  return comparable([await everythingStored(service.database, shop.id), alerts]);
}

/** Makes the same changes in both shops, and performs an operation through one surface in each. */
async function inBoth<Result>(
  given: Case["given"],
  perform: readonly [api: Performed<Result>, appProxy: Performed<Result>],
): Promise<{ result: Result; rows: unknown }[]> {
  const outcomes = [];
  for (const index of [0, 1] as const) {
    const shop = shops[index];
    const ask = index === 0 ? throughApi(shop) : throughAppProxy(shop);
    await save(shop, "11");
    const result = await perform[index]((await given?.(ask, shop)) ?? {}, ask, shop);
    outcomes.push({ result, rows: await stored(shop) });
  }
  return outcomes;
}

type Performed<Result> = (given: Input, ask: Ask, shop: TestShop) => Promise<Result>;

describe.each(shared)("%s", (operationId) => {
  test.for((CASES[operationId] ?? []).map((one, index) => [one.code ?? "success", index, one] as const))(
    "%s (%i) is the same through the API and through the app proxy",
    async ([, , { given, input, code }]) => {
      const through =
        (counts: "itemCount" | "listCount"): Performed<unknown> =>
        async (before, ask) => {
          const response = await ask(operationId, input(before));
          return code === undefined ? sharedData(response, counts) : response.error().code;
        };
      const [api, appProxy] = await inBoth(given, [through("itemCount"), through("listCount")]);
      expect(appProxy).toEqual(api);
      if (code !== undefined) expect(api?.result).toBe(code);
    },
  );
});

/** What mounts an operation under an id of its own, with its own names of fields: the forms of the wishlist page, and some of the scripts' calls. */
const renamed = proxyResources.flatMap(({ path, endpoints }) =>
  endpoints.flatMap(({ operationId, performs }) => (performs === undefined ? [] : [{ operationId, performs, path }])),
);

interface RenamedCase {
  given?: Case["given"];
  /** the operation's input, and that of its form or call */
  input: (given: Input) => readonly [operation: Input, renamed: Input];
  /** what the page says then; undefined where it says nothing, and for a script's call */
  says?: string;
  /** the failure of the operation */
  code?: string;
}

const alertOf = { productId: "1", variantId: "11", kind: "back_in_stock" };
const requested = { kind: "back_in_stock", product_id: "1", variant_id: "11" };
const formItem = { product: "1", variant: "11" };
const unknown = { list: "lst_unknown" };
const unknownId = { listId: "lst_unknown" };

/** Asks for an alert. */
async function aRequest(_: Ask, shop: TestShop): Promise<Input> {
  const json = { kind: "back_in_stock", product_id: "1", variant_id: "11" };
  (await call("POST", `/v1/wishlists/${CUSTOMER}/alert-requests`, { token: shop.token, json })).data();
  return {};
}

/** Another customer shares a list with product 2. */
async function aSharedList(_: Ask, shop: TestShop): Promise<Input> {
  const path = "/v1/wishlists/78";
  const json = { product_id: "2", variant_id: "12" };
  (await call("POST", `${path}/items`, { token: shop.token, json })).data();
  const { shareToken } = (await call("GET", `${path}/share`, { token: shop.token })).data<{ shareToken: string }>();
  return { token: shareToken };
}

const RENAMED: Readonly<Record<string, readonly RenamedCase[]>> = {
  removeByForm: [
    { input: () => [item, formItem], says: "removed" },
    {
      input: () => [
        { ...item, variant_id: "12" },
        { ...formItem, variant: "12" },
      ],
    },
    {
      input: () => [
        { ...item, ...unknownId },
        { ...formItem, ...unknown },
      ],
      code: "list_not_found",
      says: "unknown_list",
    },
  ],
  updateItemByForm: [
    {
      input: () => [
        { ...item, quantity: 2, note: "For\nAnna" },
        { ...formItem, quantity: "2", note: "For\r\nAnna" },
      ],
    },
    {
      input: () => [
        { ...item, quantity: null, note: "" },
        { ...formItem, quantity: "", note: "" },
      ],
    },
    {
      input: () => [
        { ...item, quantity: 1000, note: "" },
        { ...formItem, quantity: "1000", note: "" },
      ],
      code: "invalid_request",
      says: "details_invalid",
    },
    {
      input: () => [
        { ...item, variant_id: "12", quantity: 2, note: "" },
        { ...formItem, variant: "12", quantity: "2", note: "" },
      ],
      code: "item_not_found",
      says: "item_gone",
    },
  ],
  moveItemByForm: [
    {
      given: aList,
      input: ({ listId }) => [
        { to: listId, items: [{ productId: "1", variantId: "11" }] },
        { ...formItem, to: listId },
      ],
      says: "moved_to",
    },
    {
      given: aList,
      input: ({ listId }) => [
        { to: listId, items: [{ productId: "1", variantId: "11" }], copy: true },
        { ...formItem, to: listId, copy: "1" },
      ],
      says: "copied_to",
    },
    {
      given: aList,
      input: ({ listId }) => [
        { to: listId, items: [{ productId: "1", variantId: "12" }] },
        { ...formItem, variant: "12", to: listId },
      ],
      code: "item_not_found",
      says: "item_gone",
    },
    {
      input: () => [
        { to: "lst_unknown", items: [{ productId: "1", variantId: "11" }] },
        { ...formItem, to: "lst_unknown" },
      ],
      code: "list_not_found",
      says: "unknown_list",
    },
  ],
  createListByForm: [
    { input: () => [{ name: " Birthday " }, { name: " Birthday " }] },
    {
      given: aList,
      input: () => [{ name: "birthday" }, { name: "birthday" }],
      code: "list_name_taken",
      says: "name_taken",
    },
    { input: () => [{ name: "" }, { name: "" }], code: "invalid_request", says: "name_invalid" },
  ],
  renameListByForm: [
    {
      given: aList,
      input: ({ listId }) => [
        { listId, name: "Party" },
        { list: listId, name: "Party" },
      ],
    },
    {
      input: () => [
        { ...unknownId, name: "Party" },
        { ...unknown, name: "Party" },
      ],
      code: "list_not_found",
      says: "unknown_list",
    },
    {
      given: aList,
      input: ({ listId }) => [
        { listId, name: "" },
        { list: listId, name: "" },
      ],
      code: "invalid_request",
      says: "name_invalid",
    },
  ],
  deleteListByForm: [
    { given: aList, input: ({ listId }) => [{ listId }, { list: listId }], says: "list_deleted" },
    { input: () => [unknownId, unknown], code: "list_not_found", says: "unknown_list" },
  ],
  restoreListByForm: [
    {
      async given(ask) {
        const { listId } = await aList(ask);
        const operations = [{ op: "add", productId: "2", variantId: "12" }];
        (await ask("changeListItems", { listId, operations })).data();
        const { version } = (await ask("deleteList", { listId })).data<{ version: number }>();
        return { listId, version };
      },
      input: ({ listId, version }) => [
        { listId, version: Number(version) - 1 },
        { list: listId, version },
      ],
      says: "list_restored",
    },
    {
      input: () => [
        { ...unknownId, version: 1 },
        { ...unknown, version: "2" },
      ],
      code: "list_not_found",
      says: "unknown_list",
    },
  ],
  askForAlertsByForm: [
    {
      input: () => [
        {
          alerts: { price_dropped: true, back_in_stock: false },
          wording: `${en.ask_price_dropped} · ${en.alerts_hint}`,
          locale: "en",
        },
        { locale: "en", price_dropped: "1" },
      ],
      says: "alerts_saved",
    },
  ],
  removeForShopper: [
    { input: () => [item, { productId: "1", variantId: "11" }] },
    { input: () => [{ productId: "1" }, { productId: "1" }] },
    { input: () => [{ productId: "2" }, { productId: "2" }] },
    {
      input: () => [
        { ...item, ...unknownId },
        { productId: "1", variantId: "11", ...unknownId },
      ],
      code: "list_not_found",
    },
  ],
  saveSharedForShopper: [
    {
      given: aSharedList,
      input: ({ token }) => [{ operations: [{ op: "add", productId: "2", variantId: "12" }] }, { token }],
    },
  ],
  askForAlert: [
    { input: () => [requested, alertOf] },
    {
      input: () => [
        { ...requested, target_price: "1" },
        { ...alertOf, targetPrice: "1" },
      ],
      code: "invalid_request",
    },
    {
      input: () => [
        { ...requested, email: "ana@example.com" },
        { ...alertOf, email: "ana@example.com" },
      ],
      code: "invalid_request",
    },
  ],
  withdrawAlert: [
    { given: aRequest, input: () => [item, { productId: "1", variantId: "11" }] },
    {
      given: aRequest,
      input: () => [
        { productId: "1", kind: "price_dropped" },
        { productId: "1", kind: "price_dropped" },
      ],
    },
  ],
};

test("every form and call that mounts an operation under its own id is compared with the operation", () => {
  expect(Object.keys(RENAMED).sort()).toEqual(renamed.map(({ operationId }) => operationId).sort());
});

/** Sends a form as the page without JavaScript does. @returns what the page says then, or the code of the failure that is shown in place of it */
async function sendForm(shop: TestShop, path: string, fields: Input): Promise<string | undefined> {
  const ask = visitor(service, { shop: shop.domain, customer: CUSTOMER });
  const token = /wl_token = "([^"]+)"/.exec((await ask("GET", "")).text)?.[1] ?? "";
  const { status, text } = await ask("POST", path, {
    body: new URLSearchParams({ token, ...fields }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(status).toBe(200);
  return /wl_outcome = "([^"]*)"/.exec(text)?.[1] ?? text;
}

describe.each(renamed)("$operationId", ({ operationId, performs, path }) => {
  test.for((RENAMED[operationId] ?? []).map((one, index) => [one.code ?? "success", index, one] as const))(
    "%s (%i) is the same as of the operation through the API",
    async ([, , { given, input, code, says = "" }]) => {
      for (const shop of shops) {
        await turnOn(shop.id, ["price_dropped", "back_in_stock"]);
        await addVariants(service, shop, { "1": ["11"] });
      }
      const proxyPath = path.replace("/proxy", "");
      const outcomes = await inBoth(given, [
        async (before, ask) => {
          const response = await ask(performs, input(before)[0]);
          return code === undefined ? void response.data() : response.error().code;
        },
        async (before, ask, shop) => {
          const fields = input(before)[1];
          const [, apiPath] = proxyPath.split("/api/");
          if (apiPath === undefined) {
            expect(await sendForm(shop, proxyPath, fields)).toBe(says);
            return code;
          }
          const response = await ask(apiPath, fields);
          return code === undefined ? void response.data() : response.error().code;
        },
      ]);
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(outcomes[0]?.result).toBe(code);
    },
  );
});
