import type { Scope } from "../access/index.server.ts";
import type { Failure } from "../platform/failure.ts";
import { addressBucket } from "./client-address.server.ts";
import type { RequestContext } from "./context.ts";
import type { Charge } from "./rate-limits.server.ts";

/** Who is calling, and whose limits the request is charged to. */
export interface Authenticated<Caller> {
  caller: Caller | Failure;
  charges: Charge[];
}

/** Who may call an endpoint. */
export interface Policy<Caller, Body> {
  kind: "unmetered" | "public" | "credentials" | "bearer" | "shopper";
  scope?: Scope;
  /** the count that, once used up, refuses a request before its body is read and before anything is looked up */
  precheck?: (context: RequestContext) => Charge;
  /** @param body parses the request's body; only a policy whose credentials are in there calls it */
  authenticate: (
    request: Request,
    context: RequestContext,
    body: () => Promise<{ body: Body } | Failure>,
  ) => Promise<Authenticated<Caller>>;
  /** further counts that a parsed request is charged to: those of a caller whom only the body names */
  bodyCharges?: (caller: Caller, body: Body) => Charge[];
  /** asked when the request has been parsed */
  authorize: (caller: Caller, params: unknown) => Failure | undefined;
}

export const allowAll = (): undefined => undefined;

/** Failed authentications have a count of their own: a server's shared reads must not keep it from exchanging its key. */
export function failedAuthenticationCharge(context: RequestContext): Charge {
  return { class: "failures", subject: addressBucket(context.clientAddress) };
}
