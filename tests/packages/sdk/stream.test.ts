import { createClient, type Client, type StreamedChange } from "@wishlist-headless/sdk";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { test } from "../../support/app/fixtures.ts";
import type { TestShop } from "../../support/app/shop.ts";
import {
  cutStream,
  resetBefore,
  respond,
  startFaultyProxy,
  type FaultyProxy,
} from "../../support/http/faulty-proxy.ts";
import { MATRIX } from "../../support/matrix.ts";

let shop: TestShop;
let target: string;
let proxy: FaultyProxy;
let api: Client;
let direct: Client;

test.beforeAll(async ({ app, shop: made }) => {
  shop = made;
  target = await app.listen();
});

beforeEach(async () => {
  proxy = await startFaultyProxy(target);
  api = createClient({ url: proxy.url, credentials: shop.token });
  direct = createClient({ url: target, credentials: shop.token });
});
afterEach(() => proxy.close());

async function save(productId: string): Promise<void> {
  await direct.wishlists.items.add({ customerId: "7001", product_id: productId, variant_id: "v" });
}

async function take(stream: AsyncIterable<StreamedChange>, count: number): Promise<StreamedChange[]> {
  const taken: StreamedChange[] = [];
  for await (const event of stream) if (taken.push(event) === count) break;
  return taken;
}

const productsOf = (events: StreamedChange[]) => events.map(({ change }) => change.item?.productId);

describe("a stream of changes", () => {
  test("begins with the next change, and ends when the caller has enough", async () => {
    const { nextCursor } = await direct.changes.list({ since: "now" });
    await save("a");
    await save("b");
    expect(productsOf(await take(direct.changes.stream({ since: nextCursor }), 2))).toEqual(["a", "b"]);
  });

  test("continues after failures without losing or repeating a change", MATRIX, async () => {
    const { nextCursor } = await direct.changes.list({ since: "now" });
    for (const productId of ["c", "d", "e", "f"]) await save(productId);
    proxy.next(cutStream(2), resetBefore, respond(503), cutStream(1));
    const events = await take(api.changes.stream({ since: nextCursor }), 4);
    expect(productsOf(events)).toEqual(["c", "d", "e", "f"]);
    const lastIds = proxy.received.map(({ headers }) => headers["last-event-id"]);
    const [, second, third] = events.map(({ cursor }) => cursor);
    expect(lastIds).toEqual([undefined, second, second, second, third]);
  });

  test("reads events whose bytes arrive one at a time, also within a character", async () => {
    const change = { type: "wishlist.list.created", list: { name: "Für Jürgen" } };
    const bytes = new TextEncoder().encode(
      `retry: 1\nid: 7\n\n: still here\n\nid: 8\ndata: ${JSON.stringify(change)}\n\n`,
    );
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => bytes.forEach((byte) => controller.enqueue(Uint8Array.of(byte))),
    });
    const client = createClient({ url: target, credentials: "token", fetch: async () => new Response(body) });
    expect(await take(client.changes.stream(), 1)).toEqual([{ cursor: "8", change }]);
  });

  test("gives a change whole whose texts contain line separators of Unicode", async () => {
    const { nextCursor } = await direct.changes.list({ since: "now" });
    const note = "first\u2028id: 1\u2029data: {}";
    await direct.wishlists.items.add({ customerId: "7001", product_id: "noted", variant_id: "v", note });
    const [event] = await take(direct.changes.stream({ since: nextCursor }), 1);
    expect(event?.change.item?.note).toBe(note);
    expect(event?.cursor).not.toBe("1");
  });

  test("ends with the reason of the caller's signal before it is connected", async () => {
    const controller = new AbortController();
    const reading = take(direct.changes.stream({}, { signal: controller.signal }), 1);
    controller.abort(new Error("the page was left"));
    await expect(reading).rejects.toThrow("the page was left");
  });

  test("throws an error that another connection would get as well", async () => {
    await expect(take(direct.changes.stream({ since: "MTA0.unknown" }), 1)).rejects.toMatchObject({ status: 400 });
    const other = createClient({ url: target, credentials: "wrong" });
    await expect(take(other.changes.stream(), 1)).rejects.toMatchObject({ code: "invalid_token" });
  });
});
