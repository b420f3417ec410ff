import { describe, expect, test } from "vitest";
import type { Due } from "../../../app/webhooks/delivery/queue.server.ts";
import {
  ofFirstCustomers,
  takeCustomersMessage,
  takeRequest,
  wholeMessages,
} from "../../../app/webhooks/delivery/requests.server.ts";

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;

function due(n: number, more: Partial<Due> = {}): Due {
  return {
    ...{ id: uuid(n), event_id: uuid(1_000 + n), kind: "event", attempts: 0, batch: true, failures: 0, trace: null },
    ...{ event: "wishlist.item.updated", at: new Date(0), shop: "a.myshopify.com", store_path: "/apps/wishlist" },
    ...{ customer_id: "c1", list_id: null },
    ...{ product_id: `p${n}`, variant_id: "v", item_count: null, token_sealed: null, expires_at: null },
    ...{ share_link_id: null, data: {}, url: "https://a.example/", secret_sealed: "", old_secret_sealed: null },
    ...more,
  };
}

/** Takes requests until no delivery waits. */
function takeAll(waiting: Due[]): ReturnType<typeof takeRequest>[] {
  const requests = [];
  while (waiting.length > 0) requests.push(takeRequest(waiting));
  return requests;
}

const sizes = (waiting: Due[]) => takeAll(waiting).map(({ events }) => events.length);

describe("a batch", () => {
  test("holds at most 100,000 bytes of a body in UTF-8", () => {
    const waiting = Array.from({ length: 100 }, (_, n) => due(n, { data: { note: "ö".repeat(1_000 + n) } }));
    const requests = takeAll(waiting);
    expect(requests.flatMap(({ events }) => events)).toHaveLength(100);
    const bytes = requests.map(({ body }) => Buffer.byteLength(body));
    expect(bytes.filter((size) => size > 100_000)).toEqual([]);
    // Another event would not have fitted.
    expect(bytes.slice(0, -1).filter((size) => size < 97_000)).toEqual([]);
  });

  test("holds one event when the event alone is larger than the limit", () => {
    expect(sizes([due(1), due(2, { data: { note: "x".repeat(100_000) } }), due(3)])).toEqual([1, 1, 1]);
  });

  test("holds neither retries nor tests beside other events", () => {
    expect(sizes([due(1), due(2), due(3, { attempts: 1 }), due(4, { kind: "test" }), due(5)])).toEqual([2, 1, 1, 1]);
  });

  test("has the same id for the same events, and another id for others", () => {
    const ids = [[due(1), due(2)], [due(1), due(2)], [due(2), due(1)], [due(1)]].map(
      (waiting) => takeRequest(waiting).messageId,
    );
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });

  test("leaves out an event that can't be read, which is retried", () => {
    const unreadable = due(2, {
      event: "wishlist.shared",
      token_sealed: "?",
      expires_at: new Date(0),
      share_link_id: 1,
    });
    const { events, unsendable } = takeRequest([due(1), unreadable, due(3)]);
    expect(events.map(({ delivery }) => delivery.id)).toEqual([uuid(1), uuid(3)]);
    expect(unsendable).toMatchObject([
      { delivery: { id: uuid(2) }, final: false, result: { status: null, ok: false } },
    ]);
  });
});

describe("a customer's message", () => {
  const at = new Date(1);
  const waiting = () => [
    due(1, { at, customer_id: "c1" }),
    due(2, { at, customer_id: "c2" }),
    due(3, { at, customer_id: "c1" }),
    due(4, { at: new Date(2), customer_id: "c1" }),
  ];
  const ids = (deliveries: readonly Due[]) => deliveries.map(({ id }) => id);

  test("holds the alerts of one moment, and leaves the others to later messages", () => {
    const left = waiting();
    const { events } = takeCustomersMessage(left);
    expect(events.map(({ delivery }) => delivery.id)).toEqual([uuid(1), uuid(3)]);
    expect(ids(left)).toEqual([uuid(2), uuid(4)]);
  });

  test("has the same id in each attempt, also with fewer alerts; that of another moment and a redelivery have others", () => {
    const idOf = (...deliveries: Due[]) => takeCustomersMessage(deliveries).messageId;
    const [one, , three, later] = waiting();
    if (!one || !three || !later) throw new Error("no deliveries");
    const first = idOf(one, three);
    expect(idOf({ ...three, attempts: 1 })).toBe(first);
    expect(new Set([first, idOf(later), idOf({ ...one, kind: "redelivery" })]).size).toBe(3);
  });

  test("waits for the next query when this one may have a part of it only", () => {
    expect(ids(wholeMessages(waiting(), true))).toEqual([uuid(1), uuid(2), uuid(3)]);
    expect(ids(wholeMessages(waiting(), false))).toHaveLength(4);
    // What fills a whole query is sent as it is.
    expect(ids(wholeMessages(waiting().slice(3), true))).toEqual([uuid(4)]);
  });

  test("of the first customers has all of their alerts", () => {
    expect(ids(ofFirstCustomers(waiting(), 1))).toEqual([uuid(1), uuid(3), uuid(4)]);
    expect(ids(ofFirstCustomers(waiting(), 2))).toHaveLength(4);
  });
});
