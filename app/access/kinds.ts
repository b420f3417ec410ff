import { z } from "zod";
import { CUSTOMER_SCOPES, type Scope } from "./scopes.ts";

/**
 * What a key is for, which decides the limit that its requests count against. A storefront's server makes the requests of many shoppers with one
 * key, so it is allowed more of them. It can have the wishlist scopes only: the limit of reports and webhooks stays that of the Admin API.
 */
export const keyKindSchema = z.enum(["admin", "storefront_server"]);

export type KeyKind = z.infer<typeof keyKindSchema>;

/** The scopes that a key of a kind can't have. */
export function scopesBeyond(kind: KeyKind, scopes: readonly Scope[]): Scope[] {
  return kind === "admin" ? [] : scopes.filter((scope) => !CUSTOMER_SCOPES.includes(scope));
}
