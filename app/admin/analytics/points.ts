import type { ProductDay } from "../../analytics/findings.ts";

/** What is counted per day, by the API's names. */
export type Counted = "itemsAdded" | "itemsRemoved" | "addToCartFromWishlist";

/** A day, or the sum of some: what a chart has one point for, and its table one row. */
export interface Point extends Record<Counted, number> {
  /** its days, such as 2026-11-20 */
  first: string;
  last: string;
  /** of a single day */
  uniqueShoppers: number | undefined;
  /** in the same place of the period before */
  before: Point | undefined;
}

type GivenDay = ProductDay & { uniqueShoppers?: number };

/** Days for which each has a point of its own; more are summed by weeks. */
const MOST_POINTS = 90;

function sum(days: readonly GivenDay[], before: Point | undefined): Point | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return undefined;
  const total = (of: Counted): number => days.reduce((all, day) => all + day[of], 0);
  return {
    first: first.date,
    last: last.date,
    itemsAdded: total("itemsAdded"),
    itemsRemoved: total("itemsRemoved"),
    addToCartFromWishlist: total("addToCartFromWishlist"),
    uniqueShoppers: days.length === 1 ? first.uniqueShoppers : undefined,
    before,
  };
}

/**
 * The points of a period, oldest first. Weeks end with today; days that are left over go to the first week, so that nothing is left out and no point
 * is low for being short.
 */
export function pointsOf(days: readonly GivenDay[], before: readonly GivenDay[] = []): Point[] {
  const step = days.length > MOST_POINTS ? 7 : 1;
  const count = Math.floor(days.length / step);
  return Array.from({ length: count }, (_, place) => {
    const end = days.length - (count - 1 - place) * step;
    const start = place === 0 ? 0 : end - step;
    return sum(days.slice(start, end), sum(before.slice(start, end), undefined));
  }).filter((point) => point !== undefined);
}

/** What the points of a period are. */
export function unitOf(days: readonly unknown[]): "day" | "week" {
  return days.length > MOST_POINTS ? "week" : "day";
}
