import type { KeyKind } from "../../access/kinds.ts";
import type { Scope } from "../../access/scopes.ts";
import type { ApiKey } from "../../access/views.ts";

export type KeyState = "active" | "rotated" | "expired" | "revoked";

/** Returns the state of a key. A `rotated` key has a successor and stays valid until it expires. */
export function keyState(
  { revokedAt, expiresAt, successorKeyId }: Pick<ApiKey, "revokedAt" | "expiresAt" | "successorKeyId">,
  at: Date,
): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt <= at) return "expired";
  return successorKeyId === null ? "active" : "rotated";
}

/** Labels of scopes. */
export const SCOPE_LABELS: Record<Scope, { label: string; help: string }> = {
  read_wishlists: {
    label: "Read wishlists",
    help: "See lists and what customers saved, including through share links, and follow changes.",
  },
  write_wishlists: {
    label: "Change wishlists",
    help: "Create and change lists and their items, merge guest wishlists at login, and create and revoke share links.",
  },
  read_analytics: { label: "Read analytics", help: "See reports. They don't include customer identities." },
  read_webhooks: { label: "Read webhooks", help: "See webhooks and their deliveries." },
  write_webhooks: { label: "Manage webhooks", help: "Create, change, and delete webhooks, and resend deliveries." },
};

/** The scopes as choices of a form. */
export const SCOPE_CHOICES = Object.entries(SCOPE_LABELS).map(([value, { label, help }]) => ({
  value,
  label,
  helpText: help,
}));

/** Labels of key types. */
export const KIND_LABELS: Record<KeyKind, string> = {
  admin: "Admin",
  storefront_server: "Storefront server",
  publishable: "Publishable",
};
