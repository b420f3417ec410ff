import type { z } from "zod";
import type { issuedKeySchema } from "./forms.ts";
import type { KeyKind } from "./kinds.ts";
import type { Scope } from "./scopes.ts";

/** An API key without its secret. */
export interface ApiKey {
  keyId: string;
  name: string;
  kind: KeyKind;
  scopes: Scope[];
  /** the secret's last four characters */
  secretHint: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  successorKeyId: string | null;
}

/** A new key with its secret, which is shown only once. */
export type IssuedKeyView = z.infer<typeof issuedKeySchema>;

/** Requests per minute that keys of each kind may make. */
export type KeyLimits = Readonly<Record<KeyKind, number>>;
