import { LRUCache } from "lru-cache";
import { sha256 } from "../platform/encryption/crypto.server.ts";

// Access tokens that Shopify refused although they are valid by their own time. Staff who open the app bring a session token, for which Shopify gives a
// new access token; a token without staff is left to the refresh. Each process learns for itself, at the cost of one refused request.

const refused = new LRUCache<string, true>({ max: 1_000 });

const nameOf = (accessToken: string): string => sha256(accessToken).toString("base64", 0, 18);

/** Remembers that Shopify refuses an access token. */
export function recordRefusedAccess(accessToken: string): void {
  refused.set(nameOf(accessToken), true);
}

/** Returns whether Shopify is known to refuse an access token. */
export function isAccessRefused(accessToken: string): boolean {
  return refused.has(nameOf(accessToken));
}
