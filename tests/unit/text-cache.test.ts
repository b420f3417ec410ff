import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { textCache } from "../../app/platform/text-cache.ts";

setFlagsFromString("--expose-gc");

function heap(): number {
  runInNewContext("gc()");
  return process.memoryUsage().heapUsed;
}

test.each([0, 120, 2_000])("a full cache of texts of %i characters stays within its heap limit", (length) => {
  const limit = 8 * 1024 * 1024;
  const before = heap();
  const cache = textCache<{ of: string; text: string }>(
    { bytes: limit, entries: 30_000 },
    ({ of, text }) => of.length + text.length,
  );
  for (let n = 0; n < 50_000; n++) {
    const text = Buffer.from("x".repeat(length)).toString();
    cache.set(`1 customer 50 0 ${n}`, { of: `${n}.1`, text });
  }
  expect(cache.size).toBeLessThan(50_000);
  // 20% for the cache's own structures and other allocations.
  expect(heap() - before).toBeLessThan(limit * 1.2);
  expect(cache.size).toBeGreaterThan(0);
});

test("a cache never exceeds its maximum of entries", () => {
  const cache = textCache<{ text: string }>({ bytes: 1_000_000, entries: 10 }, ({ text }) => text.length);
  for (let n = 0; n < 100; n++) cache.set(String(n), { text: "" });
  expect(cache.size).toBe(10);
});
