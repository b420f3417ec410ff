import { z } from "zod";

/** Actions in the audit log, as `area.action`. */
export const AUDIT_ACTIONS = [
  "wishlist.item_added",
  "wishlist.items_removed",
  "wishlist.draft_order_created",
  "wishlist.share_created",
  "wishlist.share_revoked",
  "wishlist.restored",
  "wishlist.list_restored",
  "wishlist.view_created",
  "wishlist.view_renamed",
  "wishlist.view_changed",
  "wishlist.view_deleted",
  "api_key.created",
  "api_key.rotated",
  "api_key.changed",
  "api_key.origins_changed",
  "api_key.revoked",
  "webhook.created",
  "webhook.changed",
  "webhook.secret_rotated",
  "webhook.paused",
  "webhook.resumed",
  "webhook.deleted",
  "plan.requested",
  "plan.changed",
  "settings.changed",
  "privacy.data_requested",
  "privacy.erasure_requested",
  "privacy.record_fetched",
  "privacy.record_sent",
  "data.exported",
  "data.lists_exported",
  "data.customers_exported",
  "data.customers_tagged",
  "data.demand_exported",
  "data.alerts_exported",
  "data.imported",
  "data.import_undone",
  "data.change_discarded",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AREAS = ["wishlist", "api_key", "webhook", "plan", "settings", "privacy", "data"] as const;

export type Area = (typeof AREAS)[number];

/** Details of an entry. No field may hold a secret or a guest id. */
export const auditDetails = z.strictObject({
  /** a key's name, a webhook's host, a file's format, a draft order's name, a tag */
  name: z.string().optional(),
  /** the value before and after the change */
  from: z.string().optional(),
  to: z.string().optional(),
  /** added or removed items, or those of a draft order */
  items: z.array(z.strictObject({ productId: z.string(), variantId: z.string() })).optional(),
  /** number of affected items or customers */
  count: z.int().optional(),
});

export type AuditDetails = z.infer<typeof auditDetails>;

/** An entry of the audit log. */
export interface AuditEntry {
  id: string;
  at: Date;
  action: AuditAction;
  subject: string | null;
  customerId: string | null;
  details: AuditDetails;
  /** undefined: Shopify itself, or an operator */
  staff: Staff | undefined;
  /** the operating system's user who made the change with the command line */
  operator: string | undefined;
}

/** A staff member of the shop, from Shopify's signed session token. */
export interface Staff {
  /** Shopify's id */
  id: string;
  name: string | undefined;
  email: string | undefined;
}
