import { LRUCache } from "lru-cache";
import { countCache } from "../platform/metrics/caches.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { adviceForHeader, adviceForOrigin, adviceForPublishableKey, adviceForToken } from "./advice.ts";
import { findKey, isKeyId, recordKeyUse, secretMatches } from "./api-keys.server.ts";
import { ACCESS_FAILURES } from "./failures.ts";
import { allowsOrigin } from "./origins.ts";
import { accountClientId } from "./account-client.ts";
import type { Caller } from "./caller.ts";
import type { ClientKind } from "./kinds.ts";
import { keyState, cachedKeyState, type KeyState } from "./key-states.server.ts";
import { CUSTOMER_SCOPES, type Scope } from "./scopes.ts";
import {
  BROWSER_CUSTOMER_LIFETIME,
  signToken,
  TOKEN_LIFETIME,
  verifyToken,
  type AccessToken,
  type BoundOwner,
} from "./tokens.server.ts";

function isAlive(state: KeyState): boolean {
  return !state.revoked && !state.uninstalled && (state.expiresAt === undefined || nowMs() < state.expiresAt);
}

/** Returns the caller behind a key or a shop's customer accounts. @param token narrows its access */
function callerOf(state: KeyState, token?: AccessToken): Caller {
  const { keyId, shopId, shop, plan, guestLists, kind, scopes } = state;
  return {
    shopId,
    shop,
    plan,
    guestLists,
    // The setting is about the pages of the store.
    namedLists: true,
    scopes: token ? new Set(token.scopes.filter((scope) => scopes.has(scope))) : scopes,
    owner: token?.owner && { shopId, ...token.owner },
    client: { id: keyId, kind },
    source: "api",
    expiresAt: token?.expiresAt ?? Infinity,
  };
}

/** Whether the tokens of a client are for the browser of one shopper. */
function issuesToShoppers(kind: ClientKind): boolean {
  return kind === "publishable" || kind === "customer_accounts";
}

interface Known {
  caller: Caller;
  state: KeyState;
}

// A token's signature is verified again only when its key or shop has changed; in between it can only expire.
const known = new LRUCache<string, Known>({ max: 10_000 });
const cacheUse = countCache("access_tokens", () => known.size);

/** Maximum length of a cached token; tokens of this service are shorter. */
const KNOWN_LENGTH = 2_048;

/** @param header the request's `Authorization`, RFC 6750 */
export async function authenticate(header: string | null): Promise<Caller | Failure> {
  if (header === null || header === "") {
    return new Failure("missing_token", ACCESS_FAILURES.missing_token.message);
  }
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(header) ?? [];
  if (token === undefined) return new Failure("invalid_token", adviceForHeader(header));
  const before = known.get(token);
  if (
    before &&
    before.state === cachedKeyState(before.state.keyId) &&
    nowMs() < before.caller.expiresAt &&
    isAlive(before.state)
  ) {
    cacheUse.hits++;
    return before.caller;
  }
  cacheUse.misses++;
  const invalid = new Failure("invalid_token", adviceForToken(token));

  const access = await verifyToken(token);
  if (access === "invalid_token") return invalid;
  if (access === "token_expired") {
    return new Failure("token_expired", ACCESS_FAILURES.token_expired.message);
  }
  const state = await keyState(access.keyId);
  if (!state || !isAlive(state) || state.shop !== access.shop) return invalid;
  if (access.storefront !== issuesToShoppers(state.kind)) return invalid;
  const caller = callerOf(state, access);
  // Keyed by the token, because the header may contain any number of spaces.
  if (token.length <= KNOWN_LENGTH) known.set(token, { caller, state });
  return caller;
}

/** Tells whether the tokens of a key still have a scope, for a response that outlasts the check of its token. */
export async function grantsScope(keyId: string, scope: Scope): Promise<boolean> {
  const state = await keyState(keyId);
  return state !== undefined && isAlive(state) && state.scopes.has(scope);
}

export interface Credentials {
  keyId: string;
  secret: string;
}

/**
 * Checks a key and its secret.
 * @returns `invalid_credentials` with one wording for every reason: unknown, wrong, revoked, expired, shop uninstalled
 */
export async function authenticateKey(credentials: Credentials): Promise<Caller | Failure> {
  const refused = new Failure("invalid_credentials", ACCESS_FAILURES.invalid_credentials.message);
  const found = await findKey(credentials.keyId);
  if (!found || found.key.kind === "publishable" || !secretMatches(credentials.secret, found.secretHash))
    return refused;
  const state = await keyState(found.key.keyId);
  if (!state || !isAlive(state)) return refused;
  await recordKeyUse(found.shopId, found.key);
  return callerOf(state);
}

/** Seconds that the token of a sample request is valid: the page uses it immediately. */
const SAMPLE_TOKEN_LIFETIME = 60;

/** Issues a short-lived token for a sample request from the admin. The merchant's session authorizes it, because the secret is not stored. */
export async function sampleRequestToken(shopId: number, keyId: string, scope: Scope): Promise<string | Failure> {
  const state = isKeyId(keyId) ? await keyState(keyId) : undefined;
  if (state?.shopId !== shopId || !isAlive(state)) {
    return new Failure("invalid_credentials", "This key is no longer active. Create a new one.");
  }
  if (issuesToShoppers(state.kind)) {
    return new Failure("insufficient_scope", "A publishable key gives tokens to shoppers only.");
  }
  if (!state.scopes.has(scope)) return new Failure("insufficient_scope", `This key does not have the scope ${scope}.`);
  return signToken(
    { keyId, shop: state.shop, scopes: [scope], owner: undefined, storefront: false },
    SAMPLE_TOKEN_LIFETIME,
  );
}

/**
 * Issues an access token for a key.
 * @param wanted.scopes narrows the key's scopes
 * @param wanted.customerId binds the token to one customer, and limits it to the wishlist scopes
 */
export async function issueToken(
  key: Caller,
  wanted: { scopes: readonly Scope[] | undefined; customerId: string | undefined },
): Promise<string | Failure> {
  const grantable =
    wanted.customerId === undefined ? [...key.scopes] : CUSTOMER_SCOPES.filter((s) => key.scopes.has(s));
  const scopes = wanted.scopes ?? grantable;
  const beyond = scopes.filter((scope) => !grantable.includes(scope));
  if (beyond.length > 0 || scopes.length === 0) {
    const lacking = beyond.length > 0 ? beyond : CUSTOMER_SCOPES;
    const whose = wanted.customerId === undefined ? "This key" : "A token of this key that is bound to a customer";
    return new Failure("insufficient_scope", `${whose} cannot have: ${lacking.join(", ")}.`, {
      details: { requiredScope: lacking.join(" ") },
    });
  }
  const owner = wanted.customerId === undefined ? undefined : ({ kind: "customer", id: wanted.customerId } as const);
  return signToken({ keyId: key.client.id, shop: key.shop, scopes, owner, storefront: false });
}

/**
 * Checks a publishable key and the origin of the page that uses it.
 * @param origin the request's `Origin`
 * @returns `invalid_publishable_key` with one wording for an unknown, mistyped, revoked or expired key and an uninstalled shop; `origin_not_allowed`
 */
export async function authenticatePublishableKey(keyId: string, origin: string | null): Promise<Caller | Failure> {
  const refused = new Failure("invalid_publishable_key", adviceForPublishableKey(keyId));
  const found = await findKey(keyId);
  if (found?.key.kind !== "publishable") return refused;
  const state = await keyState(found.key.keyId);
  if (!state || !isAlive(state)) return refused;
  if (!allowsOrigin(state.allowedOrigins, origin)) {
    return new Failure("origin_not_allowed", adviceForOrigin(origin));
  }
  await recordKeyUse(found.shopId, found.key);
  return callerOf(state);
}

/** Returns the client that stands for a shop's customer accounts. @returns undefined when the shop is unknown or has uninstalled the app */
export async function findAccountClient(domain: string): Promise<Caller | undefined> {
  const state = await keyState(accountClientId(domain));
  return state && isAlive(state) ? callerOf(state) : undefined;
}

/** Issues a token that is bound to one shopper, for a publishable key or a shop's customer accounts. @returns the token, and the seconds that it is valid */
export async function issueStorefrontToken(
  { client, shop, scopes }: Caller,
  owner: BoundOwner,
): Promise<{ token: string; expiresIn: number }> {
  const keyId = client.id;
  const expiresIn = owner.kind === "guest" ? TOKEN_LIFETIME : BROWSER_CUSTOMER_LIFETIME;
  return {
    token: await signToken({ keyId, shop, scopes: [...scopes], owner, storefront: true }, expiresIn),
    expiresIn,
  };
}
