import { expect, test } from "vitest";
import { RecentShops } from "../../../app/webhooks/delivery/recent-shops.ts";

/** Notes requests in order, each a shop and its millisecond. Returns which of the shops 1, 2 and 3 share the process at a moment. */
function sharedAt(moment: number, requests: readonly (readonly [shopId: number, at: number])[]): number[] {
  let now = 0;
  const recentShops = new RecentShops(() => now);
  for (const [shopId, at] of requests) {
    now = at;
    recentShops.record(shopId);
  }
  now = moment;
  return [1, 2, 3].filter((shopId) => recentShops.isShared(shopId));
}

test.for([
  ["nobody, before the first request", 0, [], []],
  [
    "not the only shop that works",
    10,
    [
      [1, 0],
      [1, 10],
    ],
    [2, 3],
  ],
  [
    "every shop, while two work in turn",
    20,
    [
      [1, 0],
      [2, 10],
      [1, 20],
    ],
    [1, 2, 3],
  ],
  [
    "a shop beside whose requests another had one in the last second",
    999,
    [
      [2, 0],
      [1, 10],
      [1, 900],
    ],
    [1, 2, 3],
  ],
  [
    "not a shop beside whose requests no other had one in the last second",
    1_000,
    [
      [2, 0],
      [1, 10],
      [1, 900],
    ],
    [2, 3],
  ],
  [
    "nobody, a second after the last request",
    2_000,
    [
      [1, 0],
      [2, 1_000],
    ],
    [],
  ],
] as const)("the process is shared by %s", ([, moment, requests, shared]) => {
  expect(sharedAt(moment, requests)).toEqual(shared);
});
