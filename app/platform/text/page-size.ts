/** Bytes at which a page of a list of results ends, whatever its `limit`: the rest is on the next page. */
export const PAGE_BYTES = 1_000_000;

/** Returns how many of a page's first entries fit into `PAGE_BYTES`, but one at least, so that pages go on. */
export function countThatFits(sizes: Iterable<number>): number {
  let count = 0;
  let bytes = 0;
  for (const size of sizes) {
    bytes += size;
    if (count > 0 && bytes > PAGE_BYTES) break;
    count++;
  }
  return count;
}
