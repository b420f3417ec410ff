import { z } from "zod";
import { CUSTOMER_SCOPES, type Scope } from "./scopes.ts";

/**
 * The purpose of a key, which decides its rate limit. A storefront's server sends the requests of many shoppers with one key, so its limit is
 * higher, and it can have the wishlist scopes only.
 */
export const keyKindSchema = z.enum(["admin", "storefront_server"]);

export type KeyKind = z.infer<typeof keyKindSchema>;

/** Returns the scopes that a key of this kind can't have. */
export function scopesBeyond(kind: KeyKind, scopes: readonly Scope[]): Scope[] {
  return kind === "admin" ? [] : scopes.filter((scope) => !CUSTOMER_SCOPES.includes(scope));
}
