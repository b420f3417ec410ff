import type { Act, Area, AuditEntry, Staff } from "../../audit/actions.ts";
import { countOf } from "./owner.ts";

export const AREA_WORDS: Record<Area, string> = {
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

/** Removed items that are called by name. */
const NAMED = 3;

function itemsIn({ details: { items = [] } }: AuditEntry, titles: Readonly<Record<string, string>>): string {
  const named = items.slice(0, NAMED).map(({ productId }) => titles[productId] ?? `product ${productId}`);
  const more = items.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

const WORDS: Record<Act, (entry: AuditEntry) => string> = {
  "wishlist.items_removed": ({ details }) => `Removed ${countOf(details.items?.length ?? 0)} from a wishlist`,
  "wishlist.share_created": () => "Created a share link",
  "wishlist.share_revoked": () => "Revoked a share link",
  "api_key.created": ({ details }) => `Created the API key “${details.name ?? ""}”`,
  "api_key.rotated": ({ details }) => `Rotated the API key “${details.name ?? ""}”`,
  "api_key.revoked": ({ details }) => `Revoked the API key “${details.name ?? ""}”`,
  "webhook.created": ({ details }) => `Added a webhook to ${details.name ?? "a receiver"}`,
  "webhook.changed": ({ details }) => `Changed the webhook to ${details.name ?? "a receiver"}`,
  "webhook.secret_rotated": ({ details }) => `Rotated the secret of the webhook to ${details.name ?? "a receiver"}`,
  "webhook.paused": ({ details }) => `Paused the webhook to ${details.name ?? "a receiver"}`,
  "webhook.resumed": ({ details }) => `Resumed the webhook to ${details.name ?? "a receiver"}`,
  "webhook.deleted": ({ details }) => `Deleted the webhook to ${details.name ?? "a receiver"}`,
  "plan.requested": ({ details }) => `Asked for the ${planName(details.to)} plan`,
  "plan.changed": ({ details }) => `Plan changed from ${planName(details.from)} to ${planName(details.to)}`,
  "settings.changed": ({ details }) =>
    details.name === undefined
      ? "Changed the settings"
      : `Changed ${details.name} from ${details.from ?? "none"} to ${details.to ?? "none"}`,
  "privacy.record_fetched": () => "Fetched a customer's data record",
  "data.exported": () => "Exported all wishlists",
  "data.import_undone": ({ details }) => `Undid the import of ${countOf(details.count ?? 0)}`,
  "data.imported": ({ details }) => `Imported ${countOf(details.count ?? 0)}`,
};

/** What was done, and to what. */
export function wordsOf(entry: AuditEntry, titles: Readonly<Record<string, string>>): { what: string; more: string } {
  const more = entry.act === "wishlist.items_removed" ? itemsIn(entry, titles) : "";
  return { what: WORDS[entry.act](entry), more };
}

/** Where an entry's subject is, as far as it has a page. */
export function subjectUrl({ act, subject }: AuditEntry): string | undefined {
  if (subject === null) return undefined;
  if (act.startsWith("wishlist.")) return `/app/wishlists/${subject}`;
  if (act.startsWith("webhook.") && act !== "webhook.deleted") return `/app/webhooks/${subject}`;
  return act.startsWith("api_key.") ? `/app/api-keys/${subject}` : undefined;
}

/**
 * Somebody by their name, or by Shopify's number where Shopify does not say more.
 * @param you whose page it is
 */
export function personName(staff: Pick<Staff, "id" | "name"> | undefined, you: string): string {
  if (staff === undefined) return "Shopify";
  const name = staff.name ?? `Staff member ${staff.id}`;
  return staff.id === you ? `You${staff.name === undefined ? "" : ` (${name})`}` : name;
}
