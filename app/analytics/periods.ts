/** Periods that the admin offers, in days. A job records the active shoppers of each. */
export const PERIODS = [7, 30, 90, 365] as const;

export type Period = (typeof PERIODS)[number];

/** The period of an analytics page. */
export interface Span {
  period: Period;
  /** whether it is compared with the previous period */
  compare: boolean;
}

/** Parses the span of a page's query. An unknown period means 30 days. */
export function spanOf(query: URLSearchParams): Span {
  const given = query.get("period");
  return { period: PERIODS.find((days) => String(days) === given) ?? 30, compare: query.get("compare") === "1" };
}

/** Formats a span as the query that `spanOf` parses. */
export function spanQuery({ period, compare }: Span): string {
  return `?period=${period}${compare ? "&compare=1" : ""}`;
}
