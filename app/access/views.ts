import type { z } from "zod";
import type { issuedKeySchema } from "./forms.ts";
import type { KeyKind, SecretKeyKind } from "./kinds.ts";
import type { Scope } from "./scopes.ts";

/** An API key without its secret. */
export interface ApiKey {
  keyId: string;
  name: string;
  kind: KeyKind;
  scopes: Scope[];
  /** of a publishable key: the origins from which it works */
  allowedOrigins: string[];
  /** the secret's last four characters; empty for a publishable key */
  secretHint: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  successorKeyId: string | null;
}

/** A new key with its secret, which is shown only once. */
export type IssuedKeyView = z.infer<typeof issuedKeySchema>;

/** Requests per minute that keys of each kind may make. A publishable key has no limit of its own: its tokens count against shoppers and addresses. */
export type KeyLimits = Readonly<Record<SecretKeyKind, number>>;
