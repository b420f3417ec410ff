import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createThrottle } from "../../../app/klaviyo/rate.server.ts";

let at = 0;
beforeEach(() => {
  at = 0;
  vi.spyOn(performance, "now").mockImplementation(() => at);
});
afterEach(() => void vi.restoreAllMocks());

test("a throttle lets no more requests through in any second and any minute", () => {
  const { take } = createThrottle({ perSecond: 3, perMinute: 10 });
  const sent: number[] = [];
  for (at = 0; at < 180_000; at += 100) if (take() === 0) sent.push(at);
  const within = (ms: number) =>
    Math.max(...sent.map((from) => sent.filter((to) => to >= from && to < from + ms).length));
  expect([within(1_000), within(60_000)]).toEqual([3, 10]);
  expect(sent).toHaveLength(30);
});

test("a throttle says when the next request may be sent", () => {
  const { take } = createThrottle({ perSecond: 2, perMinute: 3 });
  expect([take(), take(), take()]).toEqual([0, 0, 1_000]);
  at = 1_000;
  expect([take(), take()]).toEqual([0, 59_000]);
});

test("a throttle counts the requests of the last second, however many came before", () => {
  const { take } = createThrottle({ perSecond: 2, perMinute: 100 });
  expect([take(), take(), take()]).toEqual([0, 0, 1_000]);
  at = 1_500;
  expect([take(), take(), take()]).toEqual([0, 0, 1_000]);
});
