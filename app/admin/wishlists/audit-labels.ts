import type { AuditAction, Area, AuditEntry, Staff } from "../../audit/actions.ts";
import { formatCount } from "../format.ts";

export const AREA_LABELS: Record<Area, string> = {
  wishlist: "Wishlists",
  api_key: "API keys",
  webhook: "Webhooks",
  plan: "Plan",
  settings: "Settings",
  privacy: "Privacy",
  data: "Import and export",
};

const PLAN_NAMES: Readonly<Record<string, string>> = { free: "Free", starter: "Starter", growth: "Growth" };

const planName = (plan: string | undefined): string => PLAN_NAMES[plan ?? ""] ?? "another plan";

/** Items that an entry names. */
const TITLED_ITEMS = 3;

function itemTitles({ details: { items = [] } }: AuditEntry, titles: Readonly<Record<string, string>>): string {
  const shown = items.slice(0, TITLED_ITEMS).map(({ productId }) => titles[productId] ?? `product ${productId}`);
  const more = items.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

const ACTION_LABELS: Record<AuditAction, (entry: AuditEntry) => string> = {
  "wishlist.item_added": () => "Added an item to a wishlist",
  "wishlist.items_removed": ({ details }) =>
    `Removed ${formatCount(details.items?.length ?? 0, "item")} from a wishlist`,
  "wishlist.draft_order_created": ({ details: { name = "", items = [] } }) =>
    `Created the draft order ${name} of ${formatCount(items.length, "saved item")}`,
  "wishlist.share_created": () => "Created a share link",
  "wishlist.share_revoked": () => "Revoked a share link",
  "wishlist.restored": ({ details }) =>
    `Restored an earlier version of a wishlist (${formatCount(details.count ?? 0, "item")} changed)`,
  "wishlist.list_restored": () => "Restored a deleted list",
  "wishlist.view_created": ({ details }) => `Saved the view “${details.name ?? ""}”`,
  "wishlist.view_renamed": ({ details }) => `Renamed the view “${details.from ?? ""}” to “${details.to ?? ""}”`,
  "wishlist.view_changed": ({ details }) => `Changed the filters or the order of the view “${details.name ?? ""}”`,
  "wishlist.view_deleted": ({ details }) => `Deleted the view “${details.name ?? ""}”`,
  "api_key.created": ({ details }) => `Created the API key “${details.name ?? ""}”`,
  "api_key.changed": ({ details }) => `Changed the API key “${details.from ?? ""}” to “${details.to ?? ""}”`,
  "api_key.origins_changed": ({ details }) =>
    `Changed the allowed origins of the API key “${details.name ?? ""}” to ${details.to ?? ""}`,
  "api_key.rotated": ({ details }) => `Rotated the API key “${details.name ?? ""}”`,
  "api_key.revoked": ({ details }) => `Revoked the API key “${details.name ?? ""}”`,
  "webhook.created": ({ details }) => `Added a webhook to ${details.name ?? "a receiver"}`,
  "webhook.changed": ({ details }) => `Changed the webhook to ${details.name ?? "a receiver"}`,
  "webhook.secret_rotated": ({ details }) => `Rotated the secret of the webhook to ${details.name ?? "a receiver"}`,
  "webhook.paused": ({ details }) => `Paused the webhook to ${details.name ?? "a receiver"}`,
  "webhook.resumed": ({ details }) => `Resumed the webhook to ${details.name ?? "a receiver"}`,
  "webhook.deleted": ({ details }) => `Deleted the webhook to ${details.name ?? "a receiver"}`,
  "plan.requested": ({ details }) => `Requested the ${planName(details.to)} plan`,
  "plan.changed": ({ details }) => `Changed the plan from ${planName(details.from)} to ${planName(details.to)}`,
  "settings.changed": ({ details }) =>
    details.name === undefined
      ? "Changed the settings"
      : `Changed ${details.name} from ${details.from ?? "none"} to ${details.to ?? "none"}`,
  "privacy.data_requested": () => "Requested the data of a person without an account",
  "privacy.erasure_requested": () => "Requested the erasure of a person without an account",
  "privacy.record_fetched": () => "Downloaded a customer's data",
  "privacy.record_sent": () => "Marked a customer's data as sent",
  "data.exported": () => "Exported all wishlists",
  "data.customers_exported": ({ details: { name = "", count = 0 } }) =>
    `Exported who saved ${name} (${formatCount(count, "line")})`,
  "data.customers_tagged": ({ details: { name = "", count = 0 } }) =>
    `Began to add the tag “${name}” to ${formatCount(count, "customer")}`,
  "data.demand_exported": ({ details: { name = "" } }) => `Exported the demand for ${name} at lower prices`,
  "data.alerts_exported": () => "Exported the alert log",
  "data.lists_exported": ({ details: { count } }) =>
    count === undefined
      ? "Exported wishlists that match filters"
      : `Exported ${formatCount(count, "selected wishlist")}`,
  "data.import_undone": ({ details }) => `Undid the import of ${formatCount(details.count ?? 0, "item")}`,
  "data.change_discarded": () => "Discarded a change that could not be processed",
  "data.imported": ({ details }) => `Imported ${formatCount(details.count ?? 0, "item")}`,
};

/** Returns an entry's summary, and the titles of its items as its detail. */
export function describeEntry(
  entry: AuditEntry,
  titles: Readonly<Record<string, string>>,
): { summary: string; detail: string } {
  return { summary: ACTION_LABELS[entry.action](entry), detail: itemTitles(entry, titles) };
}

/** Returns the URL of an entry's subject, if it has a page. */
export function subjectUrl({ action, subject }: AuditEntry): string | undefined {
  if (subject === null) return undefined;
  if (action.startsWith("wishlist.")) return `/app/wishlists/${subject}`;
  if (action.startsWith("webhook.") && action !== "webhook.deleted") return `/app/webhooks/${subject}`;
  return action.startsWith("api_key.") ? `/app/api-keys/${subject}` : undefined;
}

/**
 * Returns a staff member's name, or their Shopify ID when Shopify provides no name.
 * @param currentStaffId staff member who views the page
 */
export function staffName(staff: Pick<Staff, "id" | "name">, currentStaffId: string): string {
  const name = staff.name ?? `Staff member ${staff.id}`;
  return staff.id === currentStaffId ? `You${staff.name === undefined ? "" : ` (${name})`}` : name;
}

/** Returns whose change it was: the staff member's, the operator's of the service, or Shopify's. */
export function actorName({ staff, operator }: AuditEntry, currentStaffId: string): string {
  if (operator !== undefined) return `Command line (${operator})`;
  return staff === undefined ? "Shopify" : staffName(staff, currentStaffId);
}
