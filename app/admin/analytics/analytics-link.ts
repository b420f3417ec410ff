import { useSearchParams } from "@remix-run/react";

export const ANALYTICS_PATH = "/app/analytics";

/** Parameters of the selected period. */
const SPAN_PARAMETERS = ["period", "from", "to", "compare"];

/** Returns the query of the selected period, which the links among the analytics pages keep. */
export function useSpanQuery(): string {
  const [all] = useSearchParams();
  const kept = new URLSearchParams([...all].filter(([name]) => SPAN_PARAMETERS.includes(name))).toString();
  return kept === "" ? "" : `?${kept}`;
}

/** Parent page of the other analytics pages. */
export function useAnalyticsLink(): { label: string; url: string } {
  return { label: "Analytics", url: ANALYTICS_PATH + useSpanQuery() };
}
