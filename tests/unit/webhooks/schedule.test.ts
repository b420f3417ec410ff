import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_ATTEMPTS, probeDelay, retryDelay, waitFor } from "../../../app/webhooks/delivery/schedule.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** no jitter */
const middle = () => 0.5;

test("a delivery has 12 attempts with growing delays after the first probe", () => {
  const delays = Array.from({ length: MAX_ATTEMPTS }, (_, made) => retryDelay(made + 1, middle));
  const probes = Array.from({ length: 6 }, (_, failures) => probeDelay(failures + 1, middle));
  expect(delays).toEqual([...probes, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, undefined]);
});

test("a failing endpoint is probed after 5, 15 and 30 s, then 1, 2 and 5 min, then every 5 min", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 1_000].map((failures) => probeDelay(failures, middle))).toEqual([
    5 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    5 * MINUTE,
    5 * MINUTE,
  ]);
});

describe("jitter", () => {
  test("spreads a delay by a fifth to both sides", () => {
    expect(retryDelay(1, () => 0)).toBe(4 * SECOND);
    expect(retryDelay(1, () => 1)).toBe(6 * SECOND);
    expect(probeDelay(6, () => 0)).toBe(4 * MINUTE);
    expect(probeDelay(6, () => 1)).toBe(6 * MINUTE);
  });

  test("is applied by default", () => {
    const delays = new Set(Array.from({ length: 50 }, () => retryDelay(4)));
    expect(delays.size).toBeGreaterThan(1);
  });
});

describe("Retry-After of the receiver", () => {
  test("is used when it is later than the schedule", () => {
    expect(waitFor(5 * SECOND, MINUTE)).toBe(MINUTE);
  });

  test("never brings an attempt forward", () => {
    expect(waitFor(5 * MINUTE, 0)).toBe(5 * MINUTE);
    expect(waitFor(5 * MINUTE, undefined)).toBe(5 * MINUTE);
  });

  test("is limited to half a day", () => {
    fc.assert(
      fc.property(fc.nat(12 * HOUR), fc.double({ min: 0, noNaN: true }), (delay, retryAfter) => {
        const wait = waitFor(delay, retryAfter);
        expect(wait).toBeGreaterThanOrEqual(delay);
        expect(wait).toBeLessThanOrEqual(12 * HOUR);
      }),
    );
    expect(waitFor(5 * SECOND, 13 * HOUR)).toBe(12 * HOUR);
  });
});
