/** The largest position of an item, and with a minus sign the smallest. */
const MAX = 1e9;

interface Placing {
  own: number;
  /** new positions of other items, by their indexes */
  others: ReadonlyMap<number, number>;
}

/**
 * Returns the position with which an item comes before the item of an index, and new ones for as few other items as possible.
 * @param positions of the other items in their order; those without one come last
 */
export function place(positions: readonly (number | undefined)[], index: number): Placing {
  const firstWithout = positions.indexOf(undefined);
  const numbered = firstWithout < 0 ? positions.length : firstWithout;
  const last = positions[numbered - 1] ?? 0;
  if (index > numbered && last + index - numbered < MAX) {
    const others = new Map<number, number>();
    for (let at = numbered; at < index; at++) others.set(at, last + 1 + at - numbered);
    return { own: last + 1 + index - numbered, others };
  }
  const [before = -Infinity, after = Infinity] = [positions[index - 1], positions[index]];
  const own = between(before, after);
  if (index <= numbered && before < own && own < after && Math.abs(own) <= MAX) return { own, others: new Map() };
  const others = new Map<number, number>();
  for (let at = 0; at < Math.max(numbered, index); at++) others.set(at, at < index ? at + 1 : at + 2);
  return { own: index + 1, others };
}

function between(before: number, after: number): number {
  if (before === -Infinity) return after === Infinity ? 1 : after - 1;
  return after === Infinity ? before + 1 : (before + after) / 2;
}
