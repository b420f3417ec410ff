import { ACCESS_FAILURES } from "./failures.ts";

/**
 * Advice about credentials in the wrong place or form. It depends on the form alone, so it reveals nothing about existing keys, and it never
 * repeats the credentials.
 */

const KEY = "wlk_";
const SECRET = "wls_";
const EXCHANGE = "Exchange the API key and secret at POST /v1/auth/token";
const SEND = "send the access token as `Authorization: Bearer <token>`";

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
  return ACCESS_FAILURES.invalid_token.message;
}
