/** The page that the section's other pages belong to. */
export const ANALYTICS = { label: "Analytics", url: "/app/analytics" };
