import { LRUCache } from "lru-cache";

/**
 * Bytes of heap per entry besides its texts: the strings' headers, the value's object and the cache's lists. Measured with Node 24: 270
 * to 340.
 */
const ENTRY_OVERHEAD = 350;

/**
 * Creates a cache for texts that depend on callers' input. Keys and overhead count as well, so that many small entries use no more memory
 * than a few large ones.
 * @param limits.bytes total bytes of heap
 * @param limits.entries maximum number of entries
 * @param textOf returns the number of characters of a value, one byte each
 */
export function textCache<Value extends object>(
  limits: { bytes: number; entries: number },
  textOf: (value: Value) => number,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    max: limits.entries,
    maxSize: limits.bytes,
    sizeCalculation: (value, key) => textOf(value) + key.length + ENTRY_OVERHEAD,
  });
}
