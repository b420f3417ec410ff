import type { Scope } from "../access/index.server.ts";
import type { Failure } from "../platform/failure.ts";
import { addressBucket } from "./client-address.server.ts";
import type { RequestContext } from "./context.ts";
import type { Charge } from "./rate-limits.server.ts";

/** Who is calling, and whose limits the request is charged to. */
export interface Identified<Who> {
  who: Who | Failure;
  charges: Charge[];
}

/** Who may call an endpoint. */
export interface Policy<Who, Body> {
  kind: "open" | "public" | "credentials" | "bearer" | "shopper";
  scope?: Scope;
  /** the count that, once used up, refuses a request before its body is read and before anything is looked up */
  precheck?: (context: RequestContext) => Charge;
  /** @param body parses the request's body; only a policy whose credentials are in there calls it */
  identify: (
    request: Request,
    context: RequestContext,
    body: () => Promise<{ body: Body } | Failure>,
  ) => Promise<Identified<Who>>;
  /** further counts that a parsed request is charged to: those of a caller whom only the body names */
  bodyCharges?: (who: Who, body: Body) => Charge[];
  /** asked when the request has been parsed */
  authorise: (who: Who, params: unknown) => Failure | undefined;
}

export const anybody = (): undefined => undefined;

/** Failed authentications have a count of their own: a server's shared reads must not keep it from exchanging its key. */
export function failedFrom(context: RequestContext): Charge {
  return { class: "failures", subject: addressBucket(context.clientAddress) };
}
