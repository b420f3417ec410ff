import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { nowMs, now } from "../../app/platform/clock.server.ts";
import { randomBase62 } from "../../app/platform/ids.server.ts";
import type { Store } from "../store/store.ts";

const LIFETIME_SECONDS = 60;
/** as Shopify's own libraries allow */
const LEEWAY_SECONDS = 10;

const secretOf = (store: Store) => new TextEncoder().encode(store.options.apiSecret);

/** The id token that the admin hands to the embedded app, for a minute: HS256 with the app's secret. */
export async function mintSessionToken(store: Store): Promise<string> {
  const at = Math.floor(nowMs() / 1000);
  const origin = `https://${store.shop.domain}`;
  return new SignJWT({ dest: origin, sid: randomBase62(32) })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(`${origin}/admin`)
    .setAudience(store.options.apiKey)
    .setSubject(store.staff.id)
    .setExpirationTime(at + LIFETIME_SECONDS)
    .setNotBefore(at)
    .setIssuedAt(at)
    .setJti(randomBase62(22))
    .sign(secretOf(store));
}

const claimsSchema = z.object({
  iss: z.url(),
  dest: z.url(),
  sub: z.string().regex(/^\d+$/),
  exp: z.number(),
  nbf: z.number(),
});

/** @returns the staff member's id, or what is wrong with the token */
export async function readSessionToken(store: Store, token: string): Promise<{ userId: string } | { problem: string }> {
  try {
    const { payload } = await jwtVerify(token, secretOf(store), {
      algorithms: ["HS256"],
      audience: store.options.apiKey,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: now(),
    });
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return { problem: `claims: ${claims.error.issues[0]?.path.join(".") ?? ""}` };
    const { dest, iss, sub } = claims.data;
    if (new URL(dest).host !== store.shop.domain) return { problem: "dest names another shop" };
    if (new URL(iss).host !== store.shop.domain) return { problem: "iss names another shop" };
    if (sub !== store.staff.id) return { problem: "sub names nobody of this shop's staff" };
    return { userId: sub };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "it cannot be read" };
  }
}
