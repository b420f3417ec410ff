import type { ProductDay } from "../../analytics/findings.ts";

/** A daily count, named as in the API. */
export type Metric = "itemsAdded" | "itemsRemoved" | "addToCartFromWishlist";

/** A day or a week: a point of a chart and a row of its table. */
export interface Point extends Record<Metric, number> {
  /** first and last day, such as 2026-11-20 */
  first: string;
  last: string;
  /** undefined for a week */
  uniqueShoppers: number | undefined;
  /** the corresponding point of the previous period */
  previous: Point | undefined;
}

type InputDay = ProductDay & { uniqueShoppers?: number };

/** Longer periods have a point per week. */
const MAX_DAILY_POINTS = 90;

function sumDays(days: readonly InputDay[], previous: Point | undefined): Point | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return undefined;
  const total = (metric: Metric): number => days.reduce((sum, day) => sum + day[metric], 0);
  return {
    first: first.date,
    last: last.date,
    itemsAdded: total("itemsAdded"),
    itemsRemoved: total("itemsRemoved"),
    addToCartFromWishlist: total("addToCartFromWishlist"),
    uniqueShoppers: days.length === 1 ? first.uniqueShoppers : undefined,
    previous,
  };
}

/** Returns the points of a period, oldest first. Weeks end with today; the remaining days are added to the first week. */
export function chartPoints(days: readonly InputDay[], previousDays: readonly InputDay[] = []): Point[] {
  const step = days.length > MAX_DAILY_POINTS ? 7 : 1;
  const count = Math.floor(days.length / step);
  return Array.from({ length: count }, (_, index) => {
    const end = days.length - (count - 1 - index) * step;
    const start = index === 0 ? 0 : end - step;
    return sumDays(days.slice(start, end), sumDays(previousDays.slice(start, end), undefined));
  }).filter((point) => point !== undefined);
}

/** Returns the length of a period's points. */
export function pointUnit(days: readonly unknown[]): "day" | "week" {
  return days.length > MAX_DAILY_POINTS ? "week" : "day";
}
