import { readFileSync } from "node:fs";
import { buildSchema, execute, isEnumType } from "graphql";
import { randomBase62 } from "../../../app/platform/ids.server.ts";
import { recordRequest, type Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import { QUERY_MAXIMUM } from "../store/rate-limit.ts";
import { requestedCost } from "./cost.ts";
import { API_VERSION, parseRequest } from "./request.ts";
import { rootValue } from "./root.ts";

const schema = buildSchema(readFileSync(new URL("schema.graphql", import.meta.url), "utf8"));

// Shopify serves a later API version once the requested one has expired, and that may return further statuses.
const productStatus = schema.getType("ProductStatus");
if (isEnumType(productStatus)) productStatus.serialize = String;

const COST_DOCUMENTATION = "https://shopify.dev/api/usage/limits#rate-limits";

const TOKEN_REFUSED = "[API] Invalid API key or access token (unrecognized login or wrong password)";

/** `POST /admin/api/{version}/graphql.json` */
export async function graphqlEndpoint(
  store: Store,
  events: StoreEvents,
  version: string,
  request: Request,
): Promise<Response> {
  const requestId = randomBase62(22);
  const reply = (body: unknown, status = 200) =>
    Response.json(body, {
      status,
      headers: { "x-shopify-api-version": version, "x-request-id": requestId, "cache-control": "no-store" },
    });

  await store.faults.slowDown("graphql");
  if (!API_VERSION.test(version)) return reply({ errors: "Not Found" }, 404);
  if (store.faults.switches.graphql === "error") return reply({ errors: "Internal Server Error" }, 500);
  const parsed = await parseRequest(schema, request);
  if ("document" in parsed) recordRequest(store.adminApiRequests, parsed.request);
  const fault = await store.faults.encounter("graphql", "document" in parsed ? parsed.request : undefined);
  if (typeof fault === "object") return reply({ errors: `HTTP status ${fault.status}` }, fault.status);

  const token = store.tokens.find(request.headers.get("x-shopify-access-token") ?? "");
  const { switches } = store.faults;
  if (token === undefined || fault === "unauthorized token" || switches.graphql === "expired_token") {
    store.journal.record({
      kind: "graphql",
      summary: "refused: the access token is unknown or has expired",
      status: 401,
    });
    return reply({ errors: TOKEN_REFUSED }, 401);
  }
  if ("status" in parsed) return reply({ errors: parsed.errors }, parsed.status);

  const { document, operationName } = parsed;
  const { operation, variables } = parsed.request;
  const cost = requestedCost(schema, document, variables);
  const costs = (actual: number | null) => ({
    cost: { requestedQueryCost: cost, actualQueryCost: actual, throttleStatus: store.rateLimit.status() },
  });
  if (cost > QUERY_MAXIMUM || fault === "query too expensive") {
    const message = `Query cost is ${cost}, which exceeds the single query max cost limit (${QUERY_MAXIMUM}).`;
    const extensions = { code: "MAX_COST_EXCEEDED", cost, maxCost: QUERY_MAXIMUM, documentation: COST_DOCUMENTATION };
    return reply({ errors: [{ message, extensions }] });
  }
  if (fault === "throttled" || switches.graphql === "throttled" || !store.rateLimit.take(cost)) {
    store.journal.record({ kind: "graphql", summary: `throttled ${operation}`, status: 200 });
    const extensions = { code: "THROTTLED", documentation: COST_DOCUMENTATION };
    return reply({ errors: [{ message: "Throttled", extensions }], extensions: costs(null) });
  }

  // Existing tokens lose the scopes that the merchant has revoked.
  const granted = token.scopes.filter((scope) => store.installation.scopes.includes(scope));
  const scopes = fault === "access denied" ? [] : granted;
  const result = await execute({
    schema,
    document,
    rootValue: rootValue(store, { scopes }, events),
    variableValues: variables,
    operationName,
  });
  // Shopify charges for the returned items. As an estimate, half of the requested points are refunded.
  const actual = Math.ceil(cost / 2);
  store.rateLimit.refund(cost - actual);
  store.journal.record({ kind: "graphql", summary: `${operation}, ${cost} points`, status: 200 });
  return reply({ ...result, extensions: costs(actual) });
}
