import { exportJWK, generateKeyPair, jwtVerify, SignJWT, errors, type CryptoKey } from "jose";
import { nowMs } from "../../../app/platform/clock.server.ts";
import { randomBase62 } from "../../../app/platform/ids.server.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";

const ALGORITHM = "RS256";
const LIFETIME_SECONDS = 3_600;

interface Keys {
  id: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

const keysOfStore = new WeakMap<Store, Promise<Keys>>();

/** Generates a store's keys on their first use, because that takes longer than the devstore's start. */
function keysOf(store: Store): Promise<Keys> {
  const keys = keysOfStore.get(store) ?? generateKeyPair(ALGORITHM).then((pair) => ({ ...pair, id: randomBase62(16) }));
  keysOfStore.set(store, keys);
  return keys;
}

/** `GET {issuer}/.well-known/jwks.json` */
export async function jsonWebKeySet(store: Store): Promise<Response> {
  const { id, publicKey } = await keysOf(store);
  return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: id, alg: ALGORITHM, use: "sig" }] });
}

/** Returns an id_token, which tells the client who has logged in. @param nonce of the authorization request */
export async function createIdToken(
  store: Store,
  issuer: string,
  { id, email }: StoreCustomer,
  nonce: string | undefined,
): Promise<string> {
  const keys = await keysOf(store);
  const seconds = Math.floor(nowMs() / 1000);
  return new SignJWT({ email, email_verified: true, ...(nonce !== undefined && { nonce }) })
    .setProtectedHeader({ alg: ALGORITHM, kid: keys.id, typ: "JWT" })
    .setIssuer(issuer)
    .setSubject(id)
    .setAudience(store.options.customerAccountClient.clientId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFETIME_SECONDS)
    .sign(keys.privateKey);
}

/** Returns the customer of an id_token of this store, which may have expired. @returns undefined for any other text */
export async function customerOfIdToken(
  store: Store,
  issuer: string,
  idToken: string | null,
): Promise<string | undefined> {
  try {
    const { publicKey } = await keysOf(store);
    // A logout may come long after the login, so the age of the token does not matter.
    const { payload } = await jwtVerify(idToken ?? "", publicKey, {
      algorithms: [ALGORITHM],
      issuer,
      audience: store.options.customerAccountClient.clientId,
      currentDate: new Date(0),
    });
    return payload.sub;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
