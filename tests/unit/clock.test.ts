import { afterEach, expect, test, vi } from "vitest";
import { nowMs, setExpectedTime } from "../../app/platform/clock.server.ts";

const HOUR = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
  setExpectedTime(Date.now());
});

/** Sets the machine's clock. The monotonic clock goes on. */
function setMachineClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: ms });
}

test("the time stays when the machine's clock is set two hours ahead", () => {
  const before = nowMs();
  setMachineClock(before + 2 * HOUR);
  expect(nowMs() - before).toBeLessThan(HOUR);
});

test("the expected time replaces a machine's clock that started wrong", () => {
  const started = Date.now();
  const right = started + 3 * HOUR;
  setMachineClock(started);
  expect(setExpectedTime(right)).toBe(-3 * HOUR);
  expect(Math.abs(nowMs() - right)).toBeLessThan(HOUR);
});

test("the machine's clock is used while it differs by less than a second", () => {
  const machine = Date.now();
  setMachineClock(machine + 400);
  expect(nowMs()).toBe(machine + 400);
});
