import { expect } from "vitest";
import type { ApiResponse } from "./client.ts";

/** Returns the limits that a response reports, by class: requests left, and seconds until the window ends. */
export function limitsOf(response: ApiResponse): Record<string, { quota: number; left: number; seconds: number }> {
  const policy = response.headers.get("ratelimit-policy") ?? "";
  const state = response.headers.get("ratelimit") ?? "";
  const limits: Record<string, { quota: number; left: number; seconds: number }> = {};
  for (const [, name = "", quota, window] of policy.matchAll(/"(\w+)";q=(\d+);w=(\d+)/g)) {
    const [, left, seconds] = new RegExp(`"${name}";r=(\\d+);t=(\\d+)`).exec(state) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(Number(window));
    limits[name] = { quota: Number(quota), left: Number(left), seconds: Number(seconds) };
  }
  return limits;
}

/** Returns the requests left in a class, or undefined when the response does not report the class. */
export function leftOf(response: ApiResponse, name: string): number | undefined {
  return limitsOf(response)[name]?.left;
}

/** Checks that a response is a 429 with a usable Retry-After. */
export function expectLimited(response: ApiResponse): void {
  expect({ status: response.status, code: response.error().code }).toEqual({ status: 429, code: "rate_limited" });
  const retryAfter = response.headers.get("retry-after") ?? "";
  expect(retryAfter).toMatch(/^[1-9]\d*$/);
  expect(Number(retryAfter)).toBeLessThanOrEqual(60);
  expect(Object.values(limitsOf(response)).some(({ left }) => left === 0)).toBe(true);
}
