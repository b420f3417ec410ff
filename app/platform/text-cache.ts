import { LRUCache } from "lru-cache";

/**
 * Bytes of heap that an entry takes beside its texts: the strings' headers, the value's object, and the cache's own lists. Measured
 * with Node 24: 270 to 340.
 */
const ENTRY_OVERHEAD = 350;

/**
 * A cache of texts that are made of what callers ask for. Keys and overhead count as well as the texts, so that many small entries take no
 * more memory than a few large ones.
 * @param limits.bytes of heap, all in all
 * @param limits.entries at most
 * @param textOf characters of a value, one byte each
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
