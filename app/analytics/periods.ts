/** Periods that the admin offers, in days. A job records the active shoppers of each. */
export const PERIODS = [7, 30, 90, 365] as const;

export type Period = (typeof PERIODS)[number];

/** First and last day of a period that staff chose, as given in the address. */
export interface Dates {
  from: string;
  to: string;
}

/** The period of an analytics page. */
export interface Span {
  period: Period;
  /** chosen dates, which replace `period` */
  dates?: Dates | undefined;
  /** whether it is compared with the previous period */
  compare: boolean;
}

/** Parses the span of a page's query. An unknown period means 30 days. Dates can be wrong: see `rangeOf`. */
export function spanOf(query: URLSearchParams): Span {
  const given = query.get("period");
  const [from, to] = [query.get("from"), query.get("to")];
  return {
    period: PERIODS.find((days) => String(days) === given) ?? 30,
    dates: from === null && to === null ? undefined : { from: from ?? "", to: to ?? "" },
    compare: query.get("compare") === "1",
  };
}

/** Formats a span as the parameters that `spanOf` parses. */
export function spanParameters({ period, dates, compare }: Span): Record<string, string> {
  return { ...(dates ?? { period: String(period) }), ...(compare ? { compare: "1" } : {}) };
}

/** Formats a span as the query that `spanOf` parses. */
export function spanQuery(span: Span): string {
  return `?${new URLSearchParams(spanParameters(span)).toString()}`;
}
