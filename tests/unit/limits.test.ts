import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chargeRequest, type LimitOutcome } from "../../app/http/rate-limits.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";

provideSettings({ RATE_LIMIT_ADMIN_PER_MINUTE: "3", RATE_LIMIT_STOREFRONT_PER_MINUTE: "2", LOG_LEVEL: "silent" });

const MINUTE = 60_000;

// The rate-limit library reads the system's clock and sets timers, so both are faked.
beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-03-01T12:00:30.000Z") }));
afterEach(() => void vi.useRealTimers());

function byKey(subject: string): Promise<LimitOutcome> {
  return chargeRequest([{ class: "admin", subject }]);
}

describe("a rate-limit window", () => {
  test("starts with its first request", async () => {
    for (let i = 0; i < 3; i++) expect((await byKey("k1")).refusal).toBeUndefined();
    expect((await byKey("k1")).refusal?.code).toBe("rate_limited");
    vi.advanceTimersByTime(MINUTE - 1);
    expect((await byKey("k1")).refusal?.code).toBe("rate_limited");
    vi.advanceTimersByTime(1);
    expect((await byKey("k1")).refusal).toBeUndefined();
  });

  test("is not extended by later requests, refused ones included", async () => {
    await byKey("k2");
    vi.advanceTimersByTime(MINUTE / 2);
    for (let i = 0; i < 10; i++) await byKey("k2");
    vi.advanceTimersByTime(MINUTE / 2);
    // A new window with the complete quota.
    for (let i = 0; i < 3; i++) expect((await byKey("k2")).refusal).toBeUndefined();
    expect((await byKey("k2")).refusal).toBeDefined();
  });

  test("is reported in whole seconds, at least one, until a retry can succeed", async () => {
    for (let i = 0; i < 3; i++) await byKey("k3");
    expect((await byKey("k3")).refusal?.retryAfter).toBe(60);
    vi.advanceTimersByTime(500);
    expect((await byKey("k3")).refusal?.retryAfter).toBe(60);
    vi.advanceTimersByTime(59_499);
    expect((await byKey("k3")).refusal?.retryAfter).toBe(1);
  });

  test("is reported in the headers with the remaining quota", async () => {
    expect((await byKey("k4")).headers).toEqual({
      RateLimit: '"admin";r=2;t=60',
      "RateLimit-Policy": '"admin";q=3;w=60',
    });
    vi.advanceTimersByTime(20_000);
    expect((await byKey("k4")).headers.RateLimit).toBe('"admin";r=1;t=40');
    await byKey("k4");
    expect((await byKey("k4")).headers.RateLimit).toBe('"admin";r=0;t=40');
  });
});

test("a request with two charges is refused until both limits allow it", async () => {
  const charges = (address: string) =>
    chargeRequest([
      { class: "customer", subject: "1:c" },
      { class: "address", subject: address },
    ]);
  await charges("a");
  vi.advanceTimersByTime(10_000);
  await charges("b");
  expect((await charges("c")).refusal?.retryAfter).toBe(50);
  await charges("c");
  // Both limits are used up; the address waits longer.
  expect((await charges("c")).refusal?.retryAfter).toBe(60);
  expect((await charges("c")).headers).toEqual({
    RateLimit: '"customer";r=0;t=50, "address";r=0;t=60',
    "RateLimit-Policy": '"customer";q=2;w=60, "address";q=2;w=60',
  });
});
