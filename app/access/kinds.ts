import { z } from "zod";
import { CUSTOMER_SCOPES, type Scope } from "./scopes.ts";

/**
 * The purpose of a key, which decides its rate limit. A storefront's server sends the requests of many shoppers with one key, so its limit is
 * higher, and it can have the wishlist scopes only. A publishable key is in the code of a page or an app: it has no secret, works from allowed
 * origins only, and gives tokens that are bound to one shopper.
 */
export const keyKindSchema = z.enum(["admin", "storefront_server", "publishable"]);

export type KeyKind = z.infer<typeof keyKindSchema>;

/** What tokens are issued for: a key of one of these kinds, or the customer accounts of a shop, which need no key. */
export type ClientKind = KeyKind | "customer_accounts";

/** A kind of key that has a secret. */
export type SecretKeyKind = Exclude<KeyKind, "publishable">;

/** Returns the scopes that a key of this kind can't have. */
export function scopesBeyond(kind: KeyKind, scopes: readonly Scope[]): Scope[] {
  return kind === "admin" ? [] : scopes.filter((scope) => !CUSTOMER_SCOPES.includes(scope));
}
