import { createHash, webcrypto } from "node:crypto";
import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from "jose";
import { z } from "zod";
import { nowMs } from "../platform/clock.server.ts";
import { secrets } from "../platform/process/env.server.ts";
import { randomBase62 } from "../platform/ids.server.ts";
import { isScope, type Scope } from "./scopes.ts";

/** Seconds that an access token is valid. */
export const TOKEN_LIFETIME = 3600;
/** Seconds that a customer's token in a browser is valid: after a logout, Shopify refuses to renew it. */
export const BROWSER_CUSTOMER_LIFETIME = 900;

// RFC 9068: the type keeps other JWTs signed with the same secret from being taken for access tokens.
const TYPE = "at+jwt";
const ISSUER = "wishlist-headless";
const AUDIENCE = "wishlist-headless/v1";
/**
 * The audience of tokens from publishable keys and customer accounts, which browsers hold: each is bound to one shopper. By its other claims, a
 * guest's token would pass for one that is bound to no shopper.
 */
const STOREFRONT_AUDIENCE = "wishlist-headless/v1/storefront";

/** The shopper to whom a token is bound. */
export interface BoundOwner {
  kind: "customer" | "guest";
  /** a customer id, or the hash of a guest's id */
  id: string;
}

export interface AccessToken {
  /** of the key, or of `accountClientId` */
  keyId: string;
  /** the shop's domain */
  shop: string;
  scopes: readonly Scope[];
  /** set when the token is bound to one shopper */
  owner: BoundOwner | undefined;
  /** whether a publishable key or the shop's customer accounts issued the token, to the browser of one shopper */
  storefront: boolean;
  /** milliseconds since the epoch */
  expiresAt: number;
}

const claims = {
  // Used in a query: PostgreSQL rejects NUL characters.
  sub: z.string().regex(/^[\w@.-]+$/),
  shop: z.string(),
  scope: z.string(),
  customer_id: z.string().optional(),
  exp: z.number(),
};
const claimsSchema = z.discriminatedUnion("aud", [
  z.object({ ...claims, aud: z.literal(AUDIENCE), guest: z.undefined().optional() }),
  z
    .object({ ...claims, aud: z.literal(STOREFRONT_AUDIENCE), guest: z.string().optional() })
    .refine(({ customer_id, guest }) => (customer_id === undefined) !== (guest === undefined)),
]);

interface SigningKey {
  kid: string;
  key: webcrypto.CryptoKey;
}

let ring: Promise<[SigningKey, ...SigningKey[]]> | undefined;

async function importKey(secret: string): Promise<SigningKey> {
  // Identifies the signing secret without revealing it.
  const kid = createHash("sha256").update(`kid:${secret}`).digest("base64url").slice(0, 8);
  const bytes = new TextEncoder().encode(secret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return { kid, key: await webcrypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]) };
}

function signingKeys(): Promise<[SigningKey, ...SigningKey[]]> {
  const [first, ...rest] = secrets().tokenSecrets;
  ring ??= Promise.all([importKey(first), ...rest.map(importKey)]);
  return ring;
}

/**
 * Signs a JWT (RFC 9068 profile, HS256).
 * @param lifetime seconds that it is valid
 */
export async function signToken(token: Omit<AccessToken, "expiresAt">, lifetime = TOKEN_LIFETIME): Promise<string> {
  const [{ kid, key }] = await signingKeys();
  const issuedAt = Math.floor(nowMs() / 1000);
  const { owner } = token;
  const bound = owner && (owner.kind === "customer" ? { customer_id: owner.id } : { guest: owner.id });
  return new SignJWT({ shop: token.shop, scope: token.scopes.join(" "), ...bound })
    .setProtectedHeader({ alg: "HS256", typ: TYPE, kid })
    .setIssuer(ISSUER)
    .setAudience(token.storefront ? STOREFRONT_AUDIENCE : AUDIENCE)
    .setSubject(token.keyId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .setJti(randomBase62(22))
    .sign(key);
}

/** Verifies a token's signature and claims, but not the state of its key. */
export async function verifyToken(token: string): Promise<AccessToken | "token_expired" | "invalid_token"> {
  try {
    const { kid } = decodeProtectedHeader(token);
    const signing = (await signingKeys()).find((candidate) => candidate.kid === kid);
    if (!signing) return "invalid_token";
    const { payload } = await jwtVerify(token, signing.key, {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: ISSUER,
      audience: [AUDIENCE, STOREFRONT_AUDIENCE],
      requiredClaims: ["sub", "iat", "exp", "jti", "shop", "scope"],
      currentDate: new Date(nowMs()),
    });
    const { sub, aud, shop, scope, customer_id: customerId, guest, exp } = claimsSchema.parse(payload);
    const customer = customerId === undefined ? undefined : ({ kind: "customer", id: customerId } as const);
    return {
      keyId: sub,
      shop,
      scopes: scope.split(" ").filter(isScope),
      owner: guest === undefined ? customer : { kind: "guest", id: guest },
      storefront: aud === STOREFRONT_AUDIENCE,
      expiresAt: exp * 1000,
    };
  } catch (error) {
    return error instanceof errors.JWTExpired ? "token_expired" : "invalid_token";
  }
}
