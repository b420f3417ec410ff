import { afterEach, expect, test, vi } from "vitest";
import { ShopBusyError, shopGate } from "../../app/platform/database/shop-gate.server.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A gate with work that ends when the test decides. */
function begin(options: Partial<Parameters<typeof shopGate>[0]> = {}) {
  const gate = shopGate({ total: 3, perShop: 2, queue: 10, wait: 1_000, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string): Promise<string> =>
    gate(Number(name.charAt(0)), async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    // All effects happen in microtasks.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { gate, work, end, begun };
}

test("a shop runs at most its share of calls, and another shop's begin at once", async () => {
  const { work, begun, end } = begin();
  const all = ["1a", "1b", "1c", "1d", "2a"].map(work);
  expect(begun).toEqual(["1a", "1b", "2a"]);
  await end("1b");
  expect(begun).toEqual(["1a", "1b", "2a", "1c"]);
  for (const name of ["1a", "1c", "1d", "2a"]) await end(name);
  expect(await Promise.all(all)).toEqual(["1a", "1b", "1c", "1d", "2a"]);
});

test("shops that wait for the last place alternate", async () => {
  const { work, begun, end } = begin({ total: 1, perShop: 1 });
  const all = ["1a", "1b", "1c", "2a", "2b", "3a"].map(work);
  for (const name of ["1a", "1b", "2a", "3a", "1c", "2b"]) {
    expect(begun.at(-1)).toBe(name);
    await end(name);
  }
  expect(await Promise.all(all)).toHaveLength(6);
});

test("a call is refused when its shop's queue is full", async () => {
  const { work, begun, end } = begin({ queue: 1 });
  const all = ["1a", "1b", "1c"].map(work);
  await expect(work("1d")).rejects.toBeInstanceOf(ShopBusyError);
  const other = work("2a");
  expect(begun).toEqual(["1a", "1b", "2a"]);
  for (const name of ["1a", "1b", "1c", "2a"]) await end(name);
  await Promise.all([...all, other]);
});

test("a call that has waited too long is refused and never starts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { work, begun, end } = begin({ total: 1, perShop: 1, wait: 500 });
  const first = work("1a");
  const late = expect(work("1b")).rejects.toBeInstanceOf(ShopBusyError);
  await vi.advanceTimersByTimeAsync(500);
  await late;
  await end("1a");
  await first;
  expect(begun).toEqual(["1a"]);
});

test("a failing call releases its place", async () => {
  const { gate, work, begun, end } = begin({ total: 1, perShop: 1 });
  await expect(gate(1, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  const next = work("1a");
  expect(begun).toEqual(["1a"]);
  await end("1a");
  await next;
});
