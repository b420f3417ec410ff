import { expect, test } from "vitest";
import { StreamLimits, type StreamCaller } from "../../app/changes/stream-limits.server.ts";

const key = (shopId: number, keyId: string): StreamCaller => ({ filter: { shopId, customerId: undefined }, keyId });
const customer = (shopId: number, customerId: string): StreamCaller => ({ filter: { shopId, customerId }, keyId: "k" });

test("a process refuses streams above its limit with 503, and a released one makes room", () => {
  const limits = new StreamLimits({ process: 2, caller: 9 });
  expect([limits.reserve(key(1, "a")), limits.reserve(key(2, "b"))]).toEqual([undefined, undefined]);
  expect(limits.reserve(key(3, "c"))).toMatchObject({ code: "service_unavailable", retryAfter: 10 });
  limits.release(key(1, "a"));
  expect(limits.reserve(key(3, "c"))).toBeUndefined();
});

test("a shop has at most as many streams as the process has left for others", () => {
  const limits = new StreamLimits({ process: 12, caller: 1 });
  const open = (shopId: number): number => {
    let opened = 0;
    while (limits.reserve(customer(shopId, `c${opened}`)) === undefined) opened++;
    return opened;
  };
  expect(open(1)).toBe(6);
  expect(limits.reserve(customer(1, "another"))).toMatchObject({
    code: "rate_limited",
    message: "The shop has 6 open streams. Close one before opening another.",
    retryAfter: 10,
  });
  expect([open(2), open(3), open(4)]).toEqual([3, 2, 1]);
  // The first shop has more than others now, so it gets none before it has fewer than are left.
  limits.release(customer(4, "c0"));
  expect(limits.reserve(customer(1, "another"))).toMatchObject({ code: "rate_limited" });
  expect(limits.reserve(customer(4, "c0"))).toBeUndefined();
});

test("a customer's streams count together, apart from the key's and from another shop's", () => {
  const limits = new StreamLimits({ process: 9, caller: 1 });
  expect([limits.reserve(key(1, "k")), limits.reserve(customer(1, "c")), limits.reserve(customer(2, "c"))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(limits.reserve(customer(1, "c"))).toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("The customer has 1"),
  });
});

test("a refused stream is not counted", () => {
  const limits = new StreamLimits({ process: 4, caller: 1 });
  limits.reserve(key(1, "a"));
  expect(limits.reserve(key(1, "a"))).toBeDefined();
  expect(limits.reserve(key(1, "b"))).toBeUndefined();
});
