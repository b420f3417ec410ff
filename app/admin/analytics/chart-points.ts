import type { ProductDay, RevenueDay } from "../../analytics/findings.ts";

/** Daily numbers, named as in the API. */
const METRICS = ["itemsAdded", "itemsRemoved", "addToCartFromWishlist", "revenue", "savedOrders", "units"] as const;

export type Metric = (typeof METRICS)[number];

/** A day or a week: a point of a chart and a row of its table. */
export interface Point extends Partial<Record<Metric, number>> {
  /** first and last day, such as 2026-11-20 */
  first: string;
  last: string;
  /** whether its last day is today, which is not over */
  isPartial: boolean;
  /** the time at which its last day is cut, to be compared with today */
  until: string | undefined;
  /** undefined for a week, and where the days have none */
  uniqueShoppers: number | undefined;
  /** the corresponding point of the previous period */
  previous: Point | undefined;
}

type InputDay = (ProductDay & { uniqueShoppers?: number }) | RevenueDay;

/** Longer periods have a point per week. */
const MAX_DAILY_POINTS = 90;

function metricOf(day: InputDay, metric: Metric): number | undefined {
  const values: Partial<Record<Metric, number | string>> = day;
  const value = values[metric];
  return value === undefined ? undefined : Number(value);
}

function sumDays(
  days: readonly InputDay[],
  { isPartial = false, until, previous }: Partial<Pick<Point, "isPartial" | "until" | "previous">> = {},
): Point | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return undefined;
  const totals: Partial<Record<Metric, number>> = {};
  for (const metric of METRICS) {
    if (metricOf(first, metric) === undefined) continue;
    // Amounts of money, as texts with up to three decimals, would not add up exactly otherwise.
    const thousandths = days.reduce((sum, day) => sum + Math.round(1_000 * (metricOf(day, metric) ?? 0)), 0);
    totals[metric] = thousandths / 1_000;
  }
  // How many shoppers had been active at an hour of a past day is unknown.
  const isKnown = days.length === 1 && until === undefined;
  const uniqueShoppers = isKnown && "uniqueShoppers" in first ? first.uniqueShoppers : undefined;
  return { first: first.date, last: last.date, ...totals, isPartial, until, uniqueShoppers, previous };
}

/** The period that a chart's period is compared with. */
export interface PreviousPeriod {
  days: readonly InputDay[];
  /** the time at which its last day is cut */
  until: string | undefined;
}

/**
 * Returns the points of a period, oldest first. Weeks end with its last day; the remaining days are added to the first week.
 * @param today the shop's calendar day
 */
export function chartPoints(days: readonly InputDay[], today: string, before?: PreviousPeriod): Point[] {
  const step = days.length > MAX_DAILY_POINTS ? 7 : 1;
  const count = Math.floor(days.length / step);
  return Array.from({ length: count }, (_, index) => {
    const end = days.length - (count - 1 - index) * step;
    const start = index === 0 ? 0 : end - step;
    const isLast = index === count - 1;
    const previous = before && sumDays(before.days.slice(start, end), { until: isLast ? before.until : undefined });
    return sumDays(days.slice(start, end), { isPartial: isLast && days.at(-1)?.date === today, previous });
  }).filter((point) => point !== undefined);
}

/** Returns the length of a period's points. */
export function pointUnit(days: readonly unknown[]): "day" | "week" {
  return days.length > MAX_DAILY_POINTS ? "week" : "day";
}
