/**
 * The customer accounts of a shop are a client that has no API key: Shopify's session tokens authenticate its customers. Its id takes the place of a key's
 * id in tokens, logs and caches, and can't be one, because a key's id has no `@`.
 */

const PREFIX = "customer_accounts@";

/** Returns the id of the client. @param domain the shop's domain */
export function accountClientId(domain: string): string {
  return PREFIX + domain;
}

/** @returns the shop's domain, or undefined for the id of a key */
export function domainOfAccountClient(id: string): string | undefined {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;
}
