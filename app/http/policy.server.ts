import type { Caller, Scope } from "../access/index.server.ts";
import type { Failure } from "../platform/failure.ts";
import { addressBucket } from "./client-address.server.ts";
import type { RequestContext } from "./context.ts";
import type { Charge } from "./rate-limits.server.ts";

/** The caller of a request, and the limits that the request counts against. */
export interface Authenticated<C> {
  caller: C | Failure;
  charges: Charge[];
}

/** Authenticates, limits and authorizes the callers of an endpoint. */
export interface Policy<C, Body> {
  kind: "unmetered" | "public" | "credentials" | "publishable" | "session_token" | "bearer" | "shopper";
  scope?: Scope;
  /** whether guests are refused */
  customersOnly?: boolean;
  /** the limit that, once used up, refuses a request before its body is read and before any look-up */
  precheck?: (context: RequestContext) => Charge;
  /** @param body parses the request's body; only a policy whose credentials are in the body calls it */
  authenticate: (
    request: Request,
    context: RequestContext,
    body: () => Promise<{ body: Body } | Failure>,
  ) => Promise<Authenticated<C>>;
  /** the limit that a refusal of the handler counts against, when it concerns credentials that only the handler can check */
  refusalCharge?: (refused: Failure, context: RequestContext) => Charge | undefined;
  /** called after parsing, for a caller whom the body names: returns the caller, and the limits that the request counts against besides */
  identify?: (caller: C, body: Body) => { caller: C; charges: Charge[] };
  /** called after parsing; returns why the caller is refused */
  authorize: (caller: C, params: unknown) => Failure | undefined;
}

/** Returns the limit of a guest who asks for an alert by an email address. */
export function identifyAsker<Asker extends Caller>(caller: Asker): { caller: Asker; charges: Charge[] } {
  const { shopId, owner } = caller;
  const isGuest = owner?.kind === "guest";
  return { caller, charges: isGuest ? [{ class: "alert_requests", subject: `${shopId}:${owner.address ?? ""}` }] : [] };
}

export const allowAll = (): undefined => undefined;

/** Failed authentications have a separate limit, so that a server's anonymous reads can't prevent it from exchanging its key. */
export function failedAuthenticationCharge(context: RequestContext): Charge {
  return { class: "failures", subject: addressBucket(context.clientAddress) };
}
