import { jwtVerify } from "jose";
import { z } from "zod";
import { nowMs, now } from "../../../app/platform/clock.server.ts";
import { randomBase62 } from "../../../app/platform/ids.server.ts";
import { signToken } from "../foundation/signatures.ts";
import type { Store } from "./store.ts";

const LIFETIME_SECONDS = 60;
/** Tolerance of Shopify's own libraries. */
const LEEWAY_SECONDS = 10;

/**
 * Returns the session token (HS256 with the app's secret, valid for a minute) that the admin passes to the embedded app.
 * @param claims override the usual ones; `sub` is the staff member's id
 */
export function createSessionToken(
  { shop, staff, options }: Store,
  claims: Readonly<Record<string, unknown>> = {},
): string {
  const seconds = Math.floor(nowMs() / 1000);
  const origin = `https://${shop.domain}`;
  const all = {
    iss: `${origin}/admin`,
    dest: origin,
    aud: options.apiKey,
    sub: staff.owner.id,
    exp: seconds + LIFETIME_SECONDS,
    nbf: seconds,
    iat: seconds,
    jti: randomBase62(22),
    sid: randomBase62(32),
    ...claims,
  };
  staff.ids.add(all.sub);
  return signToken(all, options.apiSecret);
}

/** Customer account UI extensions get tokens that are valid for five minutes. */
const CUSTOMER_LIFETIME_SECONDS = 300;

/**
 * Returns the session token that Shopify gives to a customer account UI extension.
 * @param customerId of the logged-in customer; undefined for an app without access to protected customer data
 */
export function createCustomerSessionToken({ shop, options }: Store, customerId: string | undefined): string {
  const seconds = Math.floor(nowMs() / 1000);
  const claims = {
    dest: shop.domain,
    aud: options.apiKey,
    exp: seconds + CUSTOMER_LIFETIME_SECONDS,
    nbf: seconds,
    iat: seconds,
    jti: randomBase62(22),
    ...(customerId !== undefined && { sub: `gid://shopify/Customer/${customerId}` }),
  };
  return signToken(claims, options.apiSecret);
}

const claimsSchema = z.object({
  iss: z.url(),
  dest: z.url(),
  sub: z.string().regex(/^\d+$/),
  exp: z.number(),
  nbf: z.number(),
});

/** Verifies a session token. @returns the staff member's id, or the problem with the token */
export async function verifySessionToken(
  { shop, staff, options }: Store,
  token: string,
): Promise<{ userId: string } | { problem: string }> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(options.apiSecret), {
      algorithms: ["HS256"],
      audience: options.apiKey,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: now(),
    });
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return { problem: `claims: ${claims.error.issues[0]?.path.join(".") ?? ""}` };
    const { dest, iss, sub } = claims.data;
    if (new URL(dest).host !== shop.domain) return { problem: "dest is another shop" };
    if (new URL(iss).host !== shop.domain) return { problem: "iss is another shop" };
    if (!staff.ids.has(sub)) return { problem: "sub is not a staff member of this shop" };
    return { userId: sub };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "the token is unreadable" };
  }
}
