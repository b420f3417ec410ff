import { authenticate, authenticateKey, type KeyState, type Principal, type Scope } from "../../access/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { addressBucket } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import { anybody, failedFrom, type Identified, type Policy } from "../policy.server.ts";
import type { Charge } from "../rate-limits.server.ts";

function byAddress(context: RequestContext): Charge {
  return { class: "address", subject: addressBucket(context.clientAddress) };
}

/** A customer's token counts for the customer alone: a storefront's server sends those of all its shoppers from one address. */
function chargesOf({ kind, keyId, shopId, customerId }: Principal): Charge[] {
  return [
    customerId === undefined
      ? { class: kind, subject: keyId }
      : { class: "customer", subject: `${shopId}:${customerId}` },
  ];
}

async function identifyBearer(request: Request, context: RequestContext): Promise<Identified<Principal>> {
  const who = await authenticate(request.headers.get("authorization"));
  if (who instanceof Failure) return { who, charges: [failedFrom(context)] };
  context.logged.shop = who.shop;
  context.logged.key = who.keyId;
  return { who, charges: chargesOf(who) };
}

/** Anybody, unlimited: the documentation. */
export const open: Policy<undefined, unknown> = {
  kind: "open",
  identify: () => Promise.resolve({ who: undefined, charges: [] }),
  authorise: anybody,
};

/** Anybody, limited by address. A valid bearer is charged as a bearer is; any other Authorization counts as none. */
export const everybody: Policy<undefined, unknown> = {
  kind: "public",
  async identify(request, context) {
    const bearer = request.headers.has("authorization") ? await identifyBearer(request, context) : undefined;
    const charges = bearer && !(bearer.who instanceof Failure) ? bearer.charges : [byAddress(context)];
    return { who: undefined, charges };
  },
  authorise: anybody,
};

/** An API key and its secret in the body. Whatever fails counts as a failed authentication of the address. */
export const credentials: Policy<KeyState, { api_key: string; api_secret: string }> = {
  kind: "credentials",
  precheck: failedFrom,
  async identify(_request, context, body) {
    const parsed = await body();
    const who =
      parsed instanceof Failure
        ? parsed
        : await authenticateKey({ keyId: parsed.body.api_key, secret: parsed.body.api_secret });
    if (who instanceof Failure) return { who, charges: [failedFrom(context)] };
    context.logged.shop = who.shop;
    context.logged.key = who.keyId;
    return { who, charges: [{ class: who.kind, subject: who.keyId }] };
  },
  authorise: anybody,
};

/** A bearer token with a scope. One that is bound to a customer reaches that customer's paths only. */
export function bearer(scope: Scope): Policy<Principal, unknown> {
  return {
    kind: "bearer",
    scope,
    identify: identifyBearer,
    authorise(principal, params) {
      if (!principal.scopes.has(scope)) {
        return new Failure("insufficient_scope", `This token lacks the scope \`${scope}\`.`, {
          details: { requiredScope: scope },
        });
      }
      const { customerId } = principal;
      if (customerId === undefined) return undefined;
      const addressed =
        typeof params === "object" && params !== null && "customerId" in params ? params.customerId : undefined;
      return addressed === customerId
        ? undefined
        : new Failure("customer_mismatch", "This token is bound to another customer.");
    },
  };
}
