import { setTimeout as after } from "node:timers/promises";
import { z } from "zod";

/** Shopify's client for one shop's Admin GraphQL API. It throws what Shopify's library throws. */
export type AdminClient = (
  document: string,
  options: { variables: Record<string, unknown>; signal: AbortSignal },
) => Promise<Response>;

let connect: (shop: string) => Promise<AdminClient | undefined> = async () => undefined;

/**
 * Says how to reach the stores. Until then no shop has a connection.
 * @param to yields undefined for a shop without a session
 */
export function connectAdminApi(to: typeof connect): void {
  connect = to;
}

/**
 * `unreachable`: no answer in time, or Shopify is in trouble; `unauthorized`: the store does not let us in (any more); `throttled`: later;
 * `too_costly`: never in this size; `refused`: Shopify did not understand.
 */
type Reason = "unreachable" | "unauthorized" | "throttled" | "too_costly" | "refused";

export class AdminApiError extends Error {
  readonly reason: Reason;
  /** milliseconds after which another try makes sense */
  readonly retryAfter: number | undefined;
  /** of the response, where Shopify refused access */
  readonly status: number | undefined;
  constructor(reason: Reason, message: string, retryAfter?: number, status?: number) {
    super(message);
    this.name = "AdminApiError";
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.status = status;
  }
}

const costSchema = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
});
type Cost = z.infer<typeof costSchema>;

/** Milliseconds until a query that costs as much as this one can be asked again. */
function restoredIn({ requestedQueryCost, throttleStatus }: Cost): number {
  const lacking = requestedQueryCost - throttleStatus.currentlyAvailable;
  return lacking <= 0 ? 0 : Math.ceil((lacking / throttleStatus.restoreRate) * 1_000);
}

const extensionsSchema = z.object({ cost: costSchema }).optional().catch(undefined);

// What Shopify's library throws, by its shape.
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

/** Answers of a store that is closed to us, or altogether: it has not been paid for (402), is gone (404) or locked (423). */
const SHUT: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 423]);

function toAdminApiError(error: unknown): AdminApiError {
  if (error instanceof AdminApiError) return error;
  const refusal = graphqlError.safeParse(error).data;
  const [first] = refusal?.body.errors.graphQLErrors ?? [];
  if (refusal && first) {
    const cost = refusal.body.extensions?.cost;
    switch (first.extensions?.code) {
      case "THROTTLED":
        return new AdminApiError("throttled", first.message, cost ? restoredIn(cost) : 1_000);
      case "MAX_COST_EXCEEDED":
        return new AdminApiError("too_costly", first.message);
      case "ACCESS_DENIED":
        return new AdminApiError("unauthorized", first.message);
      default:
        return new AdminApiError("refused", first.message);
    }
  }
  // The library throws a Response when it could not refresh the token.
  const status = error instanceof Response ? error.status : httpError.safeParse(error).data?.response.code;
  if (status !== undefined && SHUT.has(status)) {
    return new AdminApiError("unauthorized", `Shopify answered ${status}`, undefined, status);
  }
  if (status === 429) {
    const seconds = httpError.safeParse(error).data?.response.retryAfter ?? 1;
    return new AdminApiError("throttled", "Shopify answered 429", seconds * 1_000);
  }
  const message = error instanceof Error ? error.message : `Shopify answered ${status ?? "nothing"}`;
  return new AdminApiError("unreachable", message);
}

const envelopeSchema = z.object({ data: z.unknown(), extensions: extensionsSchema });

export interface Answered<Data> {
  data: Data;
  /** milliseconds until the same can be asked again without being throttled */
  restoredIn: number;
}

/**
 * Asks a shop's Admin GraphQL API. All of it, a token that has to be refreshed included, takes no longer than `within` milliseconds.
 * @returns undefined for a shop without a connection
 * @throws AdminApiError
 */
export async function askShop<Data>(
  shop: string,
  document: string,
  { variables, answer, within }: { variables: Record<string, unknown>; answer: z.ZodType<Data>; within: number },
): Promise<Answered<Data> | undefined> {
  const enough = new AbortController();
  const late = after(within, undefined, { signal: enough.signal }).then(() => {
    throw new AdminApiError("unreachable", `Shopify has not answered within ${within} ms`);
  });
  // Whoever loses the race has nobody to tell.
  late.catch(() => undefined);
  const asking = ask(shop, document, variables, AbortSignal.any([AbortSignal.timeout(within), enough.signal]));
  asking.catch(() => undefined);
  try {
    const response = await Promise.race([asking, late]);
    if (!response) return undefined;
    const { data, extensions } = envelopeSchema.parse(response);
    return { data: answer.parse(data), restoredIn: extensions ? restoredIn(extensions.cost) : 0 };
  } catch (error) {
    if (error instanceof z.ZodError) throw new AdminApiError("refused", `an unknown answer: ${error.message}`);
    throw toAdminApiError(error);
  } finally {
    enough.abort();
  }
}

async function ask(
  shop: string,
  document: string,
  variables: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  const client = await connect(shop);
  if (!client) return undefined;
  const response = await client(document, { variables, signal });
  return response.json();
}
