import type { KeyKind } from "../../access/kinds.ts";
import type { Scope } from "../../access/scopes.ts";

/** An API key as the pages show it. */
export interface KeyData {
  keyId: string;
  name: string;
  kind: KeyKind;
  scopes: readonly Scope[];
  /** the secret's last four characters */
  secretHint: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  successorKeyId: string | null;
}

/** A key that was just created, with its secret, which is shown only then. */
export interface IssuedKeyData {
  keyId: string;
  secret: string;
  name: string;
}

export type KeyState = "active" | "rotated" | "expired" | "revoked";

/** `rotated` stays valid until it expires, and has a successor already. */
export function stateOf({ revokedAt, expiresAt, successorKeyId }: KeyData, at: Date): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt <= at) return "expired";
  return successorKeyId === null ? "active" : "rotated";
}

/** How scopes are shown to a merchant. */
export const SCOPE_WORDS: Record<Scope, { label: string; help: string }> = {
  read_wishlists: { label: "Read wishlists", help: "See what customers saved, including through share links." },
  write_wishlists: {
    label: "Change wishlists",
    help: "Add and remove items, merge guest wishlists at login, and create and revoke share links.",
  },
  read_analytics: { label: "Read analytics", help: "See reports. They don't include customer identities." },
  read_webhooks: { label: "Read webhooks", help: "See webhooks and their deliveries." },
  write_webhooks: { label: "Manage webhooks", help: "Create, change, and delete webhooks, and resend deliveries." },
};

/** How kinds of keys are shown to a merchant. */
export const KIND_LABELS: Record<KeyKind, string> = { admin: "Admin", storefront_server: "Storefront server" };

/** Requests a minute that keys of each kind may make. */
export type KeyLimits = Readonly<Record<KeyKind, number>>;
