import { setTimeout as after } from "node:timers/promises";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { traced } from "../platform/tracing/tracing.server.ts";
import { durations } from "../platform/metrics/durations.server.ts";
import { counter } from "../platform/metrics/metrics.server.ts";
import { recordRefusedAccess } from "./refused-access.server.ts";

/** Client of one shop's Admin GraphQL API, with the access token that the shop has now. */
export interface AdminClient {
  accessToken: string;
  /** when the access token expires by its own time */
  expires: Date;
  /** Sends a query. It throws the errors of Shopify's library. */
  query: (document: string, options: { variables: Record<string, unknown>; signal: AbortSignal }) => Promise<Response>;
}

let connect: (shop: string) => Promise<AdminClient | undefined> = async () => undefined;

/**
 * Sets the function that creates Admin API clients. Before that, no shop has a connection.
 * @param to returns undefined for a shop without a session
 */
export function connectAdminApi(to: typeof connect): void {
  connect = to;
}

/**
 * `unreachable`: no response in time, or a server error; `unauthorized`: the store refuses the access token; `throttled`: retry later;
 * `too_costly`: the query exceeds the maximum cost; `refused`: Shopify rejected the query or sent an unexpected response.
 */
const REASONS = ["unreachable", "unauthorized", "throttled", "too_costly", "refused"] as const;
type Reason = (typeof REASONS)[number];

const requests = counter("shopify_requests_total", "Requests to stores' Admin API by outcome", {
  outcome: ["succeeded", ...REASONS],
});
const requestDurations = durations("shopify_request_duration_seconds", "Duration of requests to stores' Admin API");

interface AdminApiErrorDetails {
  /** milliseconds to wait before a retry */
  retryAfter?: number;
  /** of a response with another HTTP status than 200 */
  status?: number;
  /**
   * whether the response proves that the store has uninstalled the app: the Admin API refuses an access token that is valid by its own time, or
   * Shopify says `app_not_installed`. Any other refusal can have another cause: a lost refresh token, a wrong client secret, a closed store.
   */
  provesUninstall?: boolean;
  cause?: unknown;
}

export class AdminApiError extends Error {
  readonly reason: Reason;
  readonly retryAfter: number | undefined;
  readonly status: number | undefined;
  readonly provesUninstall: boolean;
  constructor(reason: Reason, message: string, details: AdminApiErrorDetails = {}) {
    const { retryAfter, status, provesUninstall, cause } = details;
    super(message, { cause });
    this.name = "AdminApiError";
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.status = status;
    this.provesUninstall = provesUninstall ?? false;
  }
}

const costSchema = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
});
type Cost = z.infer<typeof costSchema>;

/** Milliseconds until the bucket holds the cost of the same query again. */
function restoredIn({ requestedQueryCost, throttleStatus }: Cost): number {
  const lacking = requestedQueryCost - throttleStatus.currentlyAvailable;
  return lacking <= 0 ? 0 : Math.ceil((lacking / throttleStatus.restoreRate) * 1_000);
}

const extensionsSchema = z.object({ cost: costSchema }).optional().catch(undefined);

// The shapes of the errors that Shopify's library throws.
const graphqlError = z.object({
  body: z.object({
    errors: z.object({
      graphQLErrors: z
        .array(
          z.object({ message: z.string(), extensions: z.object({ code: z.string() }).optional().catch(undefined) }),
        )
        .min(1),
    }),
    extensions: extensionsSchema,
  }),
});
const httpError = z.object({ response: z.object({ code: z.number(), retryAfter: z.number().optional() }) });

/** Statuses of a store that refuses the app, or that is unpaid (402), deleted (404) or locked (423). */
const ACCESS_REFUSED: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 423]);

function statusOf(error: unknown): number | undefined {
  return httpError.safeParse(error).data?.response.code;
}

function toAdminApiError(error: unknown): AdminApiError {
  if (error instanceof AdminApiError) return error;
  const refusal = graphqlError.safeParse(error).data;
  const [first] = refusal?.body.errors.graphQLErrors ?? [];
  if (refusal && first) {
    const cost = refusal.body.extensions?.cost;
    switch (first.extensions?.code) {
      case "THROTTLED":
        return new AdminApiError("throttled", first.message, { retryAfter: cost ? restoredIn(cost) : 1_000 });
      case "MAX_COST_EXCEEDED":
        return new AdminApiError("too_costly", first.message);
      case "ACCESS_DENIED":
        return new AdminApiError("unauthorized", first.message);
      default:
        return new AdminApiError("refused", first.message);
    }
  }
  const status = statusOf(error);
  if (status !== undefined && ACCESS_REFUSED.has(status)) {
    return new AdminApiError("unauthorized", `Shopify responded with ${status}`, { status });
  }
  if (status === 429) {
    const seconds = httpError.safeParse(error).data?.response.retryAfter ?? 1;
    return new AdminApiError("throttled", "Shopify responded with 429", { retryAfter: seconds * 1_000, status });
  }
  if (status !== undefined) return new AdminApiError("unreachable", `Shopify responded with ${status}`, { status });
  return new AdminApiError("unreachable", error instanceof Error ? error.message : "Shopify responded with an error");
}

/** The operation's name in a GraphQL document. */
const OPERATION = /\b(?:query|mutation)\s+(\w+)/;

const envelopeSchema = z.object({ data: z.unknown(), extensions: extensionsSchema });

export interface AdminApiResult<Data> {
  data: Data;
  /** milliseconds until the same query would not be throttled */
  restoredIn: number;
}

/**
 * Queries a shop's Admin GraphQL API. The time limit includes a refresh of the access token.
 * @param options.schema schema of the response's data
 * @param options.within milliseconds
 * @returns undefined for a shop without a connection
 * @throws AdminApiError
 */
export async function queryAdminApi<Data>(
  shop: string,
  document: string,
  { variables, schema, within }: { variables: Record<string, unknown>; schema: z.ZodType<Data>; within: number },
): Promise<AdminApiResult<Data> | undefined> {
  const finished = new AbortController();
  const timeout = after(within, undefined, { signal: finished.signal }).then(() => {
    throw new AdminApiError("unreachable", `Shopify did not respond within ${within} ms`);
  });
  // The promise that loses the race would otherwise be an unhandled rejection.
  timeout.catch(() => undefined);
  const signal = AbortSignal.any([AbortSignal.timeout(within), finished.signal]);
  const attributes = { "wishlist.operation": OPERATION.exec(document)?.[1] };
  const query = traced("Shopify Admin API", { kind: "client", attributes }, () =>
    send(shop, document, variables, signal),
  );
  query.catch(() => undefined);
  const started = performance.now();
  let outcome: Reason | "succeeded" | undefined;
  try {
    const response = await Promise.race([query, timeout]);
    if (!response) return undefined;
    const { data, extensions } = envelopeSchema.parse(response);
    const parsed = schema.parse(data);
    outcome = "succeeded";
    return { data: parsed, restoredIn: extensions ? restoredIn(extensions.cost) : 0 };
  } catch (error) {
    const failure =
      error instanceof z.ZodError
        ? new AdminApiError("refused", `unexpected response: ${error.message}`, { cause: error })
        : toAdminApiError(error);
    outcome = failure.reason;
    throw failure;
  } finally {
    finished.abort();
    // Nothing was sent for a shop without a connection.
    if (outcome !== undefined) {
      requests.inc({ outcome });
      requestDurations.observe({}, (performance.now() - started) / 1_000);
    }
  }
}

async function send(
  shop: string,
  document: string,
  variables: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  let client = await connect(shop);
  if (!client) return undefined;
  for (;;) {
    const { accessToken, expires, query } = client;
    try {
      return await (await query(document, { variables, signal })).json();
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
      // A refresh or a new authorization may have replaced the token since it was read.
      const renewed = await connect(shop);
      if (renewed === undefined || renewed.accessToken === accessToken) {
        const provesUninstall = renewed !== undefined && expires > now();
        recordRefusedAccess(accessToken);
        throw new AdminApiError("unauthorized", "Shopify responded with 401", { status: 401, provesUninstall });
      }
      client = renewed;
    }
  }
}
