import { expect, test } from "vitest";
import { ShopFeed } from "../../app/changes/shop-feed.server.ts";

test("a feed is behind from the first change that it lacks until it has the last one", () => {
  const feed = new ShopFeed(1);
  feed.begin(10);
  feed.hear(10, 1_000);
  expect(feed.behindMs(5_000)).toBe(0);
  feed.hear(11, 1_000);
  feed.hear(15, 3_000);
  feed.deliver([], 14);
  expect(feed.behindMs(5_000)).toBe(4_000);
  feed.deliver([], 15);
  expect(feed.behindMs(5_000)).toBe(0);
});
