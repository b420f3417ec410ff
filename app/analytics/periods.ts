/** Lengths of the periods that the admin offers, in days. For each, the active shoppers are kept nightly. */
export const PERIODS = [7, 30, 90, 365] as const;

export type Period = (typeof PERIODS)[number];

/** What a page of the admin looks at. */
export interface Span {
  period: Period;
  /** with the period before */
  compare: boolean;
}

/** The span that an address names. Whatever is no period is 30 days. */
export function spanOf(query: URLSearchParams): Span {
  const given = query.get("period");
  return { period: PERIODS.find((days) => String(days) === given) ?? 30, compare: query.get("compare") === "1" };
}

/** The span as the query of an address, which is what `spanOf` reads. */
export function spanQuery({ period, compare }: Span): string {
  return `?period=${period}${compare ? "&compare=1" : ""}`;
}
