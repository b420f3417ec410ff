import { decodeJwt } from "jose";
import { ACCESS_FAILURES } from "./failures.ts";

/**
 * Advice about credentials in the wrong place or form. It depends on the form alone, so it reveals nothing about existing keys, and it never
 * repeats the credentials.
 */

const KEY = "wlk_";
const SECRET = "wls_";
const PUBLISHABLE = "wlp_";
const EXCHANGE = "Exchange the API key and secret at POST /v1/auth/token";
const SEND = "send the access token as `Authorization: Bearer <token>`";

/** Tells whether a token looks like a session token of Shopify, whose claims name a shop as `dest`. It may be anything. */
function isSessionToken(token: string): boolean {
  try {
    return "dest" in decodeJwt(token);
  } catch {
    return false;
  }
}

/** @param header an `Authorization` that is not `Bearer` and one token */
export function adviceForHeader(header: string): string {
  const [scheme = "", value] = header.trim().split(/\s+/);
  if (/^Basic$/i.test(scheme)) return `Basic authentication is not supported. ${EXCHANGE}, then ${SEND}.`;
  if (scheme.startsWith(KEY) || scheme.startsWith(SECRET))
    return `An API key is not an access token. ${EXCHANGE}, then ${SEND}.`;
  if (/^Bearer$/i.test(scheme) && value === undefined) return `The header has no token. ${EXCHANGE}, then ${SEND}.`;
  return "The header is not `Bearer` followed by one access token. Send it as `Authorization: Bearer <token>`.";
}

/** @param token a rejected bearer token */
export function adviceForToken(token: string): string {
  if (token.startsWith(KEY)) return `This is the id of an API key, not an access token. ${EXCHANGE}, then ${SEND}.`;
  if (token.startsWith(SECRET)) return `This is an API key's secret, not an access token. ${EXCHANGE}, then ${SEND}.`;
  if (token.startsWith(PUBLISHABLE))
    return `This is a publishable key, not an access token. Exchange it at POST /v1/auth/storefront-token, then ${SEND}.`;
  if (isSessionToken(token))
    return `This is a session token of Shopify, not an access token. Exchange a customer's at POST /v1/auth/customer-account-token, then ${SEND}.`;
  return ACCESS_FAILURES.invalid_token.message;
}

/** @param keyId a rejected publishable key */
export function adviceForPublishableKey(keyId: string): string {
  if (keyId.startsWith(SECRET))
    return "This is an API key's secret. It must not be in a page or an app: revoke the key, and create a publishable key (wlp_…) for browsers.";
  if (keyId.startsWith(KEY))
    return "This is the id of a key with a secret, which belongs on a server. Create a publishable key (wlp_…) for browsers.";
  return ACCESS_FAILURES.invalid_publishable_key.message;
}

/** @param origin the `Origin` of a request that a publishable key does not allow */
export function adviceForOrigin(origin: string | null): string {
  return origin === null
    ? "A publishable key works in requests with the header Origin. Browsers send it; an app sends one of the key's allowed origins."
    : `This publishable key does not allow the origin ${origin.slice(0, 200)}. Add it to the key in the app under API keys.`;
}
