import { hash32 } from "./hash.ts";

/** A reproducible stream of random numbers. */
export interface Random {
  /** From 0 (included) to 1 (excluded) */
  next(): number;
  /** A real number from `min` (included) to `max` (excluded) */
  between(min: number, max: number): number;
  /** A whole number from `min` to `max`, both included */
  integer(min: number, max: number): number;
  /** True with the given probability, 0 to 1 */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** The place of one weight, drawn in proportion to the weights; undefined when none is above 0 */
  weightedIndex(weights: readonly number[]): number | undefined;
  /** A shuffled copy */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * Creates a stream for one purpose. Each purpose has a separate stream, so that a change of one generator does not affect the
 * others.
 *
 * Uses additions, multiplications and comparisons only: unlike Math.log or Math.exp, they have identical results in every
 * engine.
 */
export function randomStream(seed: number, purpose: string): Random {
  const next = sfc32(seed, purpose);
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));

  return {
    next,
    integer,
    between: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]): T => {
      for (const item of items.slice(integer(0, items.length - 1))) return item;
      throw new RangeError("cannot pick from an empty list");
    },
    weightedIndex: (weights) => drawByWeight(weights, next()),
    shuffle: <T>(items: readonly T[]): T[] =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((left, right) => left.order - right.order)
        .map(({ item }) => item),
  };
}

function drawByWeight(weights: readonly number[], draw: number): number | undefined {
  let total = 0;
  for (const weight of weights) total += weight;
  let left = draw * total;
  let last: number | undefined;
  // An index loop, because weights.entries() made the seed a third slower.
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] ?? 0;
    if (weight <= 0) continue;
    last = index;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}

/** Chris Doty-Humphrey's "small fast counting" generator: 128 bits of state, passes PractRand, a few lines long. */
function sfc32(seed: number, purpose: string): () => number {
  let a = hash32(`a ${seed} ${purpose}`);
  let b = hash32(`b ${seed} ${purpose}`);
  let c = hash32(`c ${seed} ${purpose}`);
  let counter = 1;

  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };

  // The first outputs still resemble the seed.
  for (let round = 0; round < 15; round++) next();
  return next;
}
