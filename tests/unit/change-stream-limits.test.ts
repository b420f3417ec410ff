import { expect, test } from "vitest";
import { StreamLimits, type StreamCaller } from "../../app/changes/stream-limits.server.ts";

const key = (shopId: number, keyId: string): StreamCaller => ({ filter: { shopId, customerId: undefined }, keyId });
const customer = (shopId: number, customerId: string): StreamCaller => ({ filter: { shopId, customerId }, keyId: "k" });

test("a process refuses streams above its limit with 503, and a released one makes room", () => {
  const limits = new StreamLimits({ process: 2, shop: 9, caller: 9 });
  expect([limits.reserve(key(1, "a")), limits.reserve(key(2, "b"))]).toEqual([undefined, undefined]);
  expect(limits.reserve(key(3, "c"))).toMatchObject({ code: "service_unavailable", retryAfter: 10 });
  limits.release(key(1, "a"));
  expect(limits.reserve(key(3, "c"))).toBeUndefined();
});

test("a shop's streams above its limit get 429, those of another shop are opened", () => {
  const limits = new StreamLimits({ process: 9, shop: 2, caller: 9 });
  expect([limits.reserve(key(1, "a")), limits.reserve(customer(1, "c"))]).toEqual([undefined, undefined]);
  expect(limits.reserve(key(1, "b"))).toMatchObject({
    code: "rate_limited",
    message: "The shop has 2 open streams. Close one before opening another.",
    retryAfter: 10,
  });
  expect(limits.reserve(key(2, "d"))).toBeUndefined();
  limits.release(customer(1, "c"));
  expect(limits.reserve(key(1, "b"))).toBeUndefined();
});

test("a customer's streams count together, apart from the key's and from another shop's", () => {
  const limits = new StreamLimits({ process: 9, shop: 9, caller: 1 });
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
  const limits = new StreamLimits({ process: 2, shop: 9, caller: 1 });
  limits.reserve(key(1, "a"));
  expect(limits.reserve(key(1, "a"))).toBeDefined();
  expect(limits.reserve(key(1, "b"))).toBeUndefined();
});
