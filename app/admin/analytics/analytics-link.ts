/** Parent page of the other analytics pages. */
export const ANALYTICS_LINK = { label: "Analytics", url: "/app/analytics" };
