import { createHash, webcrypto } from "node:crypto";
import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from "jose";
import { z } from "zod";
import { nowMs } from "../platform/clock.server.ts";
import { secrets } from "../platform/env.server.ts";
import { randomBase62 } from "../platform/ids.server.ts";
import { isScope, type Scope } from "./scopes.ts";

/** Seconds that an access token is valid. */
export const TOKEN_LIFETIME = 3600;

// RFC 9068: the type keeps other JWTs signed with the same secret from being taken for access tokens.
const TYPE = "at+jwt";
const ISSUER = "wishlist-headless";
const AUDIENCE = "wishlist-headless/v1";

export interface AccessToken {
  keyId: string;
  /** the shop's domain */
  shop: string;
  scopes: readonly Scope[];
  /** set when the token is bound to one customer */
  customerId: string | undefined;
  /** milliseconds since the epoch */
  expiresAt: number;
}

const claimsSchema = z.object({
  // Used in a query: PostgreSQL rejects NUL characters.
  sub: z.string().regex(/^\w+$/),
  shop: z.string(),
  scope: z.string(),
  customer_id: z.string().optional(),
  exp: z.number(),
});

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
 * A JWT (RFC 9068 profile, HS256).
 * @param lifetime seconds that it is valid
 */
export async function signToken(token: Omit<AccessToken, "expiresAt">, lifetime = TOKEN_LIFETIME): Promise<string> {
  const [{ kid, key }] = await signingKeys();
  const issuedAt = Math.floor(nowMs() / 1000);
  const customer = token.customerId === undefined ? {} : { customer_id: token.customerId };
  return new SignJWT({ shop: token.shop, scope: token.scopes.join(" "), ...customer })
    .setProtectedHeader({ alg: "HS256", typ: TYPE, kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
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
      audience: AUDIENCE,
      requiredClaims: ["sub", "iat", "exp", "jti", "shop", "scope"],
      currentDate: new Date(nowMs()),
    });
    const claims = claimsSchema.parse(payload);
    return {
      keyId: claims.sub,
      shop: claims.shop,
      scopes: claims.scope.split(" ").filter(isScope),
      customerId: claims.customer_id,
      expiresAt: claims.exp * 1000,
    };
  } catch (error) {
    return error instanceof errors.JWTExpired ? "token_expired" : "invalid_token";
  }
}
