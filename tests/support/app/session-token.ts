import { put, type Claims } from "../access/jwt.ts";
import type { Call } from "./client.ts";
import { SHOPIFY_ENV } from "./storefront.ts";

/** The claims of the session tokens that Shopify gives to a customer account UI extension. */
export function customerClaims(shop: string, customerId = "7001"): Claims {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    dest: shop,
    aud: SHOPIFY_ENV.SHOPIFY_API_KEY,
    sub: `gid://shopify/Customer/${customerId}`,
    exp: seconds + 300,
    nbf: seconds,
    iat: seconds,
    jti: "5cd5b2cf-9a9a-4a6e-9c37-0b0e4b1f2f51",
  };
}

/** Signs claims like Shopify. */
export function signSessionToken(payload: Claims, secret = SHOPIFY_ENV.SHOPIFY_API_SECRET): string {
  return put({ header: { alg: "HS256", typ: "JWT" }, payload }, secret);
}

export function customerSessionToken(shop: string, customerId?: string): string {
  return signSessionToken(customerClaims(shop, customerId));
}

/** Exchanges a customer's session token. */
export async function accountToken(call: Call, shop: { domain: string }, customerId: string): Promise<string> {
  const json = { session_token: customerSessionToken(shop.domain, customerId) };
  const response = await call("POST", "/v1/auth/customer-account-token", { json });
  return response.data<{ token: string }>().token;
}
