import { describe, expect, test } from "vitest";
import { place } from "../../../storefront-browser/page/positions.ts";

type Positions = readonly (number | undefined)[];

/** Returns the order after a placing: the indexes of the other items, and "own". */
function orderAfter(positions: Positions, index: number): (number | "own")[] {
  const { own, others } = place(positions, index);
  const placed = positions.map((position, at) => ({ name: at, position: others.get(at) ?? position ?? Infinity }));
  const all: { name: number | "own"; position: number }[] = [...placed, { name: "own", position: own }];
  expect(all.every(({ position }) => position === Infinity || Math.abs(position) <= 1e9)).toBe(true);
  return all
    .toSorted((one, other) => (one.position === other.position ? 0 : one.position - other.position))
    .map(({ name }) => name);
}

function orderOf(count: number, index: number): (number | "own")[] {
  return Array.from({ length: count }, (_, at): number | "own" => at).toSpliced(index, 0, "own");
}

const LISTS: Positions[] = [
  [],
  [undefined, undefined, undefined],
  [1, 2, 3],
  [-5, 0.5, undefined, undefined],
  [2, 2, 2, undefined],
  [1, 1 + Number.EPSILON, 3],
  [-1e9, 1e9],
  [1e9, undefined, undefined],
];

describe("place", () => {
  test.each(LISTS.flatMap((positions) => [...positions, 0].map((_, index) => [positions, index] as const)))(
    "puts an item into %j at index %i and keeps the order of the others",
    (positions, index) => {
      expect(orderAfter(positions, index)).toEqual(orderOf(positions.length, index));
    },
  );

  test.each([
    [[1, 2, 3], 0, 0],
    [[1, 2, 3], 1, 1.5],
    [[1, 2, 3], 3, 4],
    [[1, 2, undefined], 2, 3],
    [[undefined, undefined], 0, 1],
  ])("changes no other item of %j at index %i", (positions, index, own) => {
    expect(place(positions, index)).toEqual({ own, others: new Map() });
  });

  test("numbers only the items before it that have no position", () => {
    expect(place([4, undefined, undefined, undefined], 3)).toEqual({
      own: 7,
      others: new Map([
        [1, 5],
        [2, 6],
      ]),
    });
  });
});
