import { LRUCache } from "lru-cache";
import { ACCESS_FAILURES } from "../../access/failures.ts";
import {
  authenticate,
  authenticateKey,
  authenticatePublishableKey,
  type Caller,
  type Scope,
} from "../../access/index.server.ts";
import { authenticateSessionToken } from "../../shopper-tokens/index.server.ts";
import { ME, type Owner } from "../../wishlists/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { log } from "../../platform/log/log.server.ts";
import { addressBucket } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import { allowAll, failedAuthenticationCharge, type Authenticated, type Policy } from "../policy.server.ts";
import type { Charge } from "../rate-limits.server.ts";

function addressCharge(context: RequestContext): Charge {
  return { class: "address", subject: addressBucket(context.clientAddress) };
}

function shopperAddressCharge(context: RequestContext): Charge {
  return { class: "storefront_address", subject: addressBucket(context.clientAddress) };
}

/**
 * A customer's token counts against the customer only, because a storefront's server sends the tokens of all its shoppers. A guest's counts against the
 * address as well, because a caller can invent guests.
 */
function chargesOf({ client, owner }: Caller, context: RequestContext): Charge[] {
  if (owner === undefined) return [keyCharge(client)];
  const charge = ownerCharge(owner);
  return owner.kind === "customer" ? [charge] : [charge, shopperAddressCharge(context)];
}

function ownerCharge({ shopId, kind, id }: Owner): Charge {
  return { class: kind, subject: `${shopId}:${id}` };
}

/** Every token of a publishable key or of customer accounts is bound to a shopper, so their requests never count toward the client. */
function keyCharge({ kind, id }: Caller["client"]): Charge {
  return { class: kind === "storefront_server" ? kind : "admin", subject: id };
}

async function authenticateBearer(request: Request, context: RequestContext): Promise<Authenticated<Caller>> {
  const caller = await authenticate(request.headers.get("authorization"));
  if (caller instanceof Failure) return refused(caller, context);
  const charges = chargesOf(logged(caller, context), context);
  if (caller.owner?.kind !== "guest") return { caller, charges };
  const address = addressBucket(context.clientAddress);
  return { caller: { ...caller, owner: { ...caller.owner, address } }, charges };
}

/** Counts a failure as a failed authentication of the address. */
function refused(caller: Failure, context: RequestContext): Authenticated<never> {
  return { caller, charges: [failedAuthenticationCharge(context)] };
}

/** Names the caller in the log. */
function logged(caller: Caller, context: RequestContext): Caller {
  context.logged.shop = caller.shop;
  context.logged.key = caller.client.id;
  return caller;
}

const GUEST_REACHES_ME = "A guest's token gives access to /v1/wishlists/me and the paths below it only.";

/** No authentication and no limit, for the documentation. */
export const unmetered: Policy<undefined, unknown> = {
  kind: "unmetered",
  authenticate: () => Promise.resolve({ caller: undefined, charges: [] }),
  authorize: allowAll,
};

/** No authentication, limited by address. A request with a valid bearer token counts against the token's limit instead. */
export const publicAccess: Policy<undefined, unknown> = {
  kind: "public",
  async authenticate(request, context) {
    const bearer = request.headers.has("authorization") ? await authenticateBearer(request, context) : undefined;
    const charges = bearer && !(bearer.caller instanceof Failure) ? bearer.charges : [addressCharge(context)];
    return { caller: undefined, charges };
  },
  authorize: allowAll,
};

/** Keys whose secret was sent from a page, so that the log mentions each once an hour. */
const secretsInPages = new LRUCache<string, true>({ max: 1_000, ttl: 3_600_000 });

/**
 * Warns of a page that sends a key's secret, where each visitor can read it. The request is not refused, because `/v1` promises CORS for every operation.
 * A page can't forge `Sec-Fetch-Site`; the documentation of this service is of the same origin.
 */
function warnOfSecretInPage(request: Request, { client: { id: keyId }, shop }: Caller): void {
  const site = request.headers.get("sec-fetch-site");
  if ((site !== "cross-site" && site !== "same-site") || secretsInPages.has(keyId)) return;
  secretsInPages.set(keyId, true);
  log.warn(
    { shop, key: keyId },
    "a page sent the secret of an API key: revoke the key, and use a publishable key in pages",
  );
}

/**
 * A policy whose credentials are in the body. Every failure counts as a failed authentication of the address.
 * @param chargeOf returns the limit that an authenticated request counts against
 */
function credentialsInBody<C extends Caller, Body>(
  kind: Policy<C, Body>["kind"],
  check: (body: Body, request: Request) => Promise<C | Failure>,
  chargeOf: (caller: C, context: RequestContext) => Charge,
): Policy<C, Body> {
  return {
    kind,
    precheck: failedAuthenticationCharge,
    async authenticate(request, context, read) {
      const parsed = await read();
      const caller = parsed instanceof Failure ? parsed : await check(parsed.body, request);
      if (caller instanceof Failure) return refused(caller, context);
      logged(caller, context);
      return { caller, charges: [chargeOf(caller, context)] };
    },
    authorize: allowAll,
  };
}

/** An API key and its secret. */
export const credentials = credentialsInBody(
  "credentials",
  async ({ api_key: keyId, api_secret: secret }: { api_key: string; api_secret: string }, request) => {
    const caller = await authenticateKey({ keyId, secret });
    if (!(caller instanceof Failure)) warnOfSecretInPage(request, caller);
    return caller;
  },
  ({ client }) => keyCharge(client),
);

/**
 * A publishable key, sent from one of its origins. Customers' tokens that Shopify does not accept count as failed authentications as well, because each
 * costs a request to Shopify; exchanges count against the address.
 */
export const publishableKey: Policy<Caller, { publishable_key: string }> = {
  ...credentialsInBody(
    "publishable",
    (body, request) => authenticatePublishableKey(body.publishable_key, request.headers.get("origin")),
    (_, context) => shopperAddressCharge(context),
  ),
  refusalCharge: ({ code }, context) =>
    code === "invalid_customer_token" ? failedAuthenticationCharge(context) : undefined,
};

/** Shopify's session token of a customer. Exchanges count against the customer. */
export const sessionToken = credentialsInBody(
  "session_token",
  (body: { session_token: string }) => authenticateSessionToken(body.session_token),
  ({ owner }) => ownerCharge(owner),
);

interface BearerOptions {
  /**
   * What a token that is bound to a customer gives access to: the paths of that customer ("path"), or those results of the handler that are the
   * customer's ("filter"), for a handler that filters by `caller.owner`. A guest's token has access by paths only.
   */
  customer?: "path" | "filter";
  /** whether guests' tokens are refused */
  customersOnly?: boolean;
  identify?: Policy<Caller, unknown>["identify"] | undefined;
}

/** A bearer token with a scope. A token that is bound to a shopper gives access to that shopper's data only. */
export function bearer(
  scope: Scope,
  { customer = "path", customersOnly = false, identify }: BearerOptions = {},
): Policy<Caller, unknown> {
  return {
    kind: "bearer",
    scope,
    customersOnly,
    ...(identify && { identify }),
    authenticate: authenticateBearer,
    authorize(caller, params) {
      if (!caller.scopes.has(scope)) {
        return new Failure("insufficient_scope", `This token lacks the scope \`${scope}\`.`, {
          details: { requiredScope: scope },
        });
      }
      const { owner, guestLists } = caller;
      const addressed =
        typeof params === "object" && params !== null && "customerId" in params ? params.customerId : undefined;
      if (owner === undefined) {
        return addressed === ME ? new Failure("not_bound", ACCESS_FAILURES.not_bound.message) : undefined;
      }
      if (owner.kind === "guest") {
        if (!guestLists) return new Failure("guest_lists_off", ACCESS_FAILURES.guest_lists_off.message);
        if (addressed !== ME) return new Failure("customer_mismatch", GUEST_REACHES_ME);
        return customersOnly ? new Failure("customer_required", ACCESS_FAILURES.customer_required.message) : undefined;
      }
      return customer === "filter" || addressed === ME || addressed === owner.id
        ? undefined
        : new Failure("customer_mismatch", ACCESS_FAILURES.customer_mismatch.message);
    },
  };
}
