import { ACCESS_FAILURES } from "../../access/failures.ts";
import { authenticate, authenticateKey, type KeyState, type Principal, type Scope } from "../../access/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { addressBucket } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import { allowAll, failedAuthenticationCharge, type Authenticated, type Policy } from "../policy.server.ts";
import type { Charge } from "../rate-limits.server.ts";

function addressCharge(context: RequestContext): Charge {
  return { class: "address", subject: addressBucket(context.clientAddress) };
}

/** A customer's token counts against the customer only, because a storefront's server sends the tokens of all its shoppers. */
function chargesOf({ kind, keyId, shopId, customerId }: Principal): Charge[] {
  return [
    customerId === undefined
      ? { class: kind, subject: keyId }
      : { class: "customer", subject: `${shopId}:${customerId}` },
  ];
}

async function authenticateBearer(request: Request, context: RequestContext): Promise<Authenticated<Principal>> {
  const caller = await authenticate(request.headers.get("authorization"));
  if (caller instanceof Failure) return { caller, charges: [failedAuthenticationCharge(context)] };
  context.logged.shop = caller.shop;
  context.logged.key = caller.keyId;
  return { caller, charges: chargesOf(caller) };
}

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

/** An API key and its secret in the body. Every failure counts as a failed authentication of the address. */
export const credentials: Policy<KeyState, { api_key: string; api_secret: string }> = {
  kind: "credentials",
  precheck: failedAuthenticationCharge,
  async authenticate(_request, context, body) {
    const parsed = await body();
    const caller =
      parsed instanceof Failure
        ? parsed
        : await authenticateKey({ keyId: parsed.body.api_key, secret: parsed.body.api_secret });
    if (caller instanceof Failure) return { caller, charges: [failedAuthenticationCharge(context)] };
    context.logged.shop = caller.shop;
    context.logged.key = caller.keyId;
    return { caller, charges: [{ class: caller.kind, subject: caller.keyId }] };
  },
  authorize: allowAll,
};

interface BearerOptions {
  /**
   * What a token that is bound to a customer gives access to: the paths of that customer ("path"), or those results of the handler that are the
   * customer's ("filter"), for a handler that filters by `caller.customerId`.
   */
  customer?: "path" | "filter";
}

/** A bearer token with a scope. A token that is bound to a customer gives access to that customer's data only. */
export function bearer(scope: Scope, { customer = "path" }: BearerOptions = {}): Policy<Principal, unknown> {
  return {
    kind: "bearer",
    scope,
    authenticate: authenticateBearer,
    authorize(principal, params) {
      if (!principal.scopes.has(scope)) {
        return new Failure("insufficient_scope", `This token lacks the scope \`${scope}\`.`, {
          details: { requiredScope: scope },
        });
      }
      const { customerId } = principal;
      if (customerId === undefined || customer === "filter") return undefined;
      const addressed =
        typeof params === "object" && params !== null && "customerId" in params ? params.customerId : undefined;
      return addressed === customerId
        ? undefined
        : new Failure("customer_mismatch", ACCESS_FAILURES.customer_mismatch.message);
    },
  };
}
