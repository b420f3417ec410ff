/** The app's menu in Shopify's admin. The first entry is the link of the app's name and does not appear again. */
export const SECTIONS = [
  { path: "/app", label: "Home" },
  { path: "/app/analytics", label: "Analytics" },
  { path: "/app/api-keys", label: "API keys" },
  { path: "/app/webhooks", label: "Webhooks" },
  { path: "/app/alerts", label: "Alerts" },
  { path: "/app/wishlists", label: "Wishlists" },
  { path: "/app/plan", label: "Plan" },
  { path: "/app/settings", label: "Settings" },
] as const;

/** Returns the label of the section to which a page belongs. */
export function sectionOf(path: string): string {
  const [home, ...others] = SECTIONS;
  const found = others.find((section) => path === section.path || path.startsWith(`${section.path}/`));
  return (found ?? home).label;
}
