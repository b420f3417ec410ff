import { counterOf, gauge } from "./metrics.server.ts";

/** Counts the uses of one cache. Plain numbers, because caches are on every hot path. */
export interface CacheUse {
  hits: number;
  misses: number;
}

interface Cache {
  use: CacheUse;
  size: () => number;
}

const caches = new Map<string, Cache>();

/**
 * Adds a cache to the metrics.
 * @param name label of the metrics
 * @param size returns the number of entries
 * @returns the counts, which the cache's user increments
 */
export function countCache(name: string, size: () => number): CacheUse {
  const use = { hits: 0, misses: 0 };
  caches.set(name, { use, size });
  return use;
}

counterOf(
  "cache_requests_total",
  "Look-ups in the caches of the process, by cache and result",
  { cache: [], result: ["hit", "miss"] },
  () =>
    [...caches].flatMap(([cache, { use }]) => [
      { labels: { cache, result: "hit" }, value: use.hits },
      { labels: { cache, result: "miss" }, value: use.misses },
    ]),
);

gauge("cache_entries", "Entries in the caches of the process", { cache: [] }, () =>
  [...caches].map(([cache, { size }]) => ({ labels: { cache }, value: size() })),
);
