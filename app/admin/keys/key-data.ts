import type { Scope } from "../../access/scopes.ts";

/** An API key as the pages show it. */
export interface KeyData {
  keyId: string;
  name: string;
  scopes: readonly Scope[];
  /** the secret's last four characters */
  secretHint: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  successorKeyId: string | null;
}

/** A key that was just made, with the secret that is shown this once. */
export interface IssuedKeyData {
  keyId: string;
  secret: string;
  name: string;
}

export type KeyState = "active" | "rotated" | "expired" | "revoked";

/** `rotated` goes on until it expires, and has a successor already. */
export function stateOf({ revokedAt, expiresAt, successorKeyId }: KeyData, at: Date): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt <= at) return "expired";
  return successorKeyId === null ? "active" : "rotated";
}

/** What a merchant reads of a scope. */
export const SCOPE_WORDS: Record<Scope, { label: string; help: string }> = {
  read_wishlists: { label: "Read wishlists", help: "See what customers saved, also through share links." },
  write_wishlists: {
    label: "Change wishlists",
    help: "Add and remove items, merge a guest's list at login, make and end share links.",
  },
  read_analytics: { label: "Read analytics", help: "See what shoppers want, in numbers, without who they are." },
  read_webhooks: { label: "Read webhooks", help: "See which systems are told of changes, and what was sent to them." },
  write_webhooks: { label: "Manage webhooks", help: "Add, change and remove webhooks, and send to them again." },
};
