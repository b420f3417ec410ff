import { z } from "zod";

/** What staff can do that is written down: the part of the admin, and what was done there. */
export const ACTS = [
  "wishlist.items_removed",
  "wishlist.share_created",
  "wishlist.share_revoked",
  "api_key.created",
  "api_key.rotated",
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
  "privacy.record_fetched",
  "data.exported",
  "data.imported",
  "data.import_undone",
] as const;

export type Act = (typeof ACTS)[number];

export const AREAS = ["wishlist", "api_key", "webhook", "plan", "settings", "privacy", "data"] as const;

export type Area = (typeof AREAS)[number];

/** What is said of an act besides its subject. No secret and no guest's id has a field here. */
export const auditDetails = z.strictObject({
  /** of a key, a webhook's host, a file */
  name: z.string().optional(),
  /** what it was before, and what it is */
  from: z.string().optional(),
  to: z.string().optional(),
  /** saved items that are gone */
  items: z.array(z.strictObject({ productId: z.string(), variantId: z.string() })).optional(),
  /** how many of whatever it was */
  count: z.int().optional(),
});

export type AuditDetails = z.infer<typeof auditDetails>;

/** An act that was written down. */
export interface AuditEntry {
  id: string;
  at: Date;
  act: Act;
  subject: string | null;
  customerId: string | null;
  details: AuditDetails;
  /** undefined: Shopify itself */
  staff: Staff | undefined;
}

/** Somebody who works for the shop, as Shopify has signed it. */
export interface Staff {
  /** Shopify's id */
  id: string;
  name: string | undefined;
  email: string | undefined;
}
