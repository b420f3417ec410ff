// @module-tag matrix

import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client, type Call } from "../support/app/client.ts";
import { eventStream, type EventStream } from "../support/app/event-stream.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { FeedModel, type FeedChange, type ModelItem } from "../support/app/feed-model.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";

const WRITERS = 16;
const OPERATIONS = 80;
/** Few customers, lists and products, so that writers meet. */
const CUSTOMERS = ["c1", "c2", "c3", "c4", "c5"];
const PRODUCTS = ["p1", "p2", "p3", "p4", "p5", "p6"];
const NAMES = ["Birthday", "Garden", "Kitchen"];

let database: TestDatabase;
let web: Service;
let worker: Service;
let shop: TestShop;
let call: Call;

const startWorker = (): Promise<Service> => startService({ database, env: { WISHLIST_ROLE: "worker" } });

beforeAll(async () => {
  database = await createDatabase();
  [web, worker] = await Promise.all([startService({ database, env: { WISHLIST_ROLE: "web" } }), startWorker()]);
  call = client(web.url);
  shop = await makeShop(web, call, { plan: "growth" });
});
afterAll(async () => {
  for (const service of [web, worker]) await service.stop("SIGKILL");
  await closeDatabase();
  await database.drop();
});

/** Returns pseudo-random numbers below a bound, the same ones for a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

interface List {
  listId: string;
  name: string | null;
  position: number;
  itemCount: number;
  version: number;
}

async function listsOf(customer: string): Promise<List[]> {
  const lists: List[] = [];
  for (let cursor = ""; ;) {
    const response = await call("GET", `/v1/wishlists/${customer}/lists?limit=50${cursor}`, { token: shop.token });
    const page = response.data<{ lists: List[]; nextCursor: string | null }>();
    lists.push(...page.lists);
    if (page.nextCursor === null) return lists;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

async function itemsOf(customer: string, listId: string): Promise<ModelItem[]> {
  const path = `/v1/wishlists/${customer}/lists/${listId}/items?limit=200`;
  return (await call("GET", path, { token: shop.token })).data<{ items: ModelItem[] }>().items;
}

/** Makes changes of every kind. Those that another writer has made impossible are refused. */
async function write(index: number): Promise<void> {
  const random = randomOf(index + 1);
  const one = <Value>(values: readonly Value[]): Value => {
    const value = values[random(values.length)];
    if (value === undefined) throw new Error("nothing to choose from");
    return value;
  };
  for (let n = 0; n < OPERATIONS; n++) {
    const customer = one(CUSTOMERS);
    const lists = await listsOf(customer);
    const { listId, version } = one(lists);
    const list = `/v1/wishlists/${customer}/lists/${listId}`;
    const product = one(PRODUCTS);
    const item = { productId: product, variantId: `${product}-${random(2)}` };
    const details = { quantity: 1 + random(5), note: `note "${index}" ${n}\n\\`, properties: { Engraving: `${n}` } };
    const send = (method: string, path: string, json?: unknown) => call(method, path, { token: shop.token, json });
    const operations: (() => Promise<unknown>)[] = [
      () => send("POST", `${list}/items`, { product_id: item.productId, variant_id: item.variantId, ...details }),
      () => send("POST", `${list}/items`, { product_id: item.productId, variant_id: item.variantId }),
      () => send("DELETE", `${list}/items/${product}`),
      () => send("DELETE", `${list}/items/${product}?variant_id=${item.variantId}`),
      () => send("PATCH", `${list}/items/${product}?variant_id=${item.variantId}`, { note: null, position: n / 2 }),
      () =>
        send("POST", `${list}/items/move`, {
          to: one(lists).listId,
          items: [{ productId: product }],
          copy: n % 2 === 0,
        }),
      () =>
        send("POST", `${list}/items/batch`, {
          operations: [
            { op: "add", ...item, ...details },
            { op: "remove", productId: one(PRODUCTS) },
            { op: "add", productId: one(PRODUCTS), variantId: "batch" },
            { op: "update", ...item, quantity: 9, position: -n },
          ],
        }),
      () =>
        send("POST", `/v1/wishlists/${customer}/merge`, {
          items: [
            { ...item, addedAt: "2026-01-02T03:04:05.678Z" },
            { ...item, variantId: "merged", addedAt: "2026-02-02T00:00:00.000Z" },
          ],
        }),
      () => send("POST", `/v1/wishlists/${customer}/lists`, { name: one(NAMES) }),
      () => send("PATCH", list, { name: `${one(NAMES)} ${index}` }),
      () => send("PATCH", list, { position: random(100) / 4 }),
      () => (listId === "default" ? send("GET", `/v1/wishlists/${customer}/share`) : send("DELETE", list)),
      () => send("POST", `${list}/restore`, { version: random(version + 1) }),
      () => mergeGuest(`guest-${index}-${n}`, customer, item),
    ];
    await one(operations)();
  }
}

/** Lets a guest save items in two lists and log in. */
async function mergeGuest(
  guest: string,
  customer: string,
  { productId, variantId }: { productId: string; variantId: string },
): Promise<void> {
  const add = "SELECT wishlist_add($1, 'guest', $2, $3, $4, 'storefront', now(), p_list => $5, p_note => 'of a guest')";
  const list = `lst_${guest}`;
  await database.rows(add, [shop.id, guest, productId, variantId, "default"]);
  await database.rows("SELECT wishlist_create_list($1, 'guest', $2, $3, $4, lower($4), 50, 'storefront', now())", [
    shop.id,
    guest,
    list,
    "Garden",
  ]);
  await database.rows(add, [shop.id, guest, productId, variantId, list]);
  await database.rows("SELECT wishlist_merge_guest($1, $2, $3, now())", [shop.id, guest, customer]);
}

async function wholeFeed(): Promise<FeedChange[]> {
  const changes: FeedChange[] = [];
  for (let since = ""; ;) {
    const response = await call("GET", `/v1/changes?limit=150${since}`, { token: shop.token });
    const page = response.data<{ changes: FeedChange[]; nextCursor: string; hasMore: boolean }>();
    changes.push(...page.changes);
    if (!page.hasMore) return changes;
    since = `&since=${page.nextCursor}`;
  }
}

test("replaying the feed gives every list exactly, after 16 writers and a killed worker", async () => {
  const headers = { authorization: `Bearer ${shop.token}` };
  const stream: EventStream = eventStream(await fetch(`${web.url}/v1/changes/stream`, { headers }));
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index)));
  await until("some changes", async () => {
    const [row] = await database.rows<{ last: number }>("SELECT max(change_number)::int AS last FROM activity");
    return (row?.last ?? 0) > 300;
  });
  await worker.stop("SIGKILL");
  worker = await startWorker();
  await writing;

  const changes = await wholeFeed();
  const model = new FeedModel();
  for (const change of changes) model.apply(change);
  const kinds = new Set(changes.map(({ type }) => type));
  expect(kinds.size).toBe(8);
  expect(new Set(changes.map(({ source }) => source))).toEqual(
    new Set(["api", "merge", "guest_merge", "move", "restore"]),
  );
  for (const customer of CUSTOMERS) {
    const lists = await listsOf(customer);
    const stored = await Promise.all(
      lists.map(async ({ listId, name, position, itemCount, version }) => ({
        listId,
        name,
        position,
        itemCount,
        version,
        items: await itemsOf(customer, listId),
      })),
    );
    expect(model.listsOf(customer)).toEqual(stored);
  }

  const streamed = await stream.take(changes.length);
  expect(streamed.map(({ data = "" }): unknown => JSON.parse(data))).toEqual(changes);
  await stream.cancel();
});
