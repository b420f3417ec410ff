import { readFileSync } from "node:fs";
import { buildSchema, execute, getOperationAST, GraphQLError, parse, validate, type DocumentNode } from "graphql";
import { z } from "zod";
import { randomBase62 } from "../../app/platform/ids.server.ts";
import { slowDown } from "../store/faults.ts";
import type { Store } from "../store/store.ts";
import type { Hooks } from "../webhooks/hooks.ts";
import { requestedCost } from "./cost.ts";
import { rootValue } from "./root.ts";
import { QUERY_MAXIMUM } from "./throttle.ts";

const schema = buildSchema(readFileSync(new URL("schema.graphql", import.meta.url), "utf8"));

const bodySchema = z.object({
  query: z.string().min(1),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

const VERSION = /^(?:\d{4}-(?:01|04|07|10)|unstable)$/;
const COST_DOCUMENTATION = "https://shopify.dev/api/usage/limits#rate-limits";

/** `POST /admin/api/{version}/graphql.json` */
export async function graphqlEndpoint(
  store: Store,
  hooks: Hooks,
  version: string,
  request: Request,
): Promise<Response> {
  const requestId = randomBase62(22);
  const reply = (body: unknown, status = 200) =>
    Response.json(body, {
      status,
      headers: { "x-shopify-api-version": version, "x-request-id": requestId, "cache-control": "no-store" },
    });

  await slowDown(store.faults, "graphql");
  if (!VERSION.test(version)) return reply({ errors: "Not Found" }, 404);
  if (store.faults.graphql === "error") return reply({ errors: "Internal Server Error" }, 500);
  const token = store.tokens.find(request.headers.get("x-shopify-access-token") ?? "");
  if (token === undefined || store.faults.graphql === "expired_token") {
    store.journal.add({ kind: "graphql", what: "refused: the access token is unknown or has expired", status: 401 });
    const errors = "[API] Invalid API key or access token (unrecognized login or wrong password)";
    return reply({ errors }, 401);
  }
  if (!(request.headers.get("content-type") ?? "").startsWith("application/json")) {
    return reply({ errors: { query: "Required parameter missing or invalid" } }, 400);
  }
  const body = bodySchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return reply({ errors: { query: "Required parameter missing or invalid" } }, 400);

  const { query, variables, operationName } = body.data;
  const document = readDocument(query);
  if (!("kind" in document)) return reply({ errors: document });
  const operation = getOperationAST(document, operationName);
  const name = operation?.name?.value ?? operation?.operation ?? "?";

  const cost = requestedCost(schema, document, variables ?? {});
  const costs = (actual: number | null) => ({
    cost: { requestedQueryCost: cost, actualQueryCost: actual, throttleStatus: store.bucket.status() },
  });
  if (cost > QUERY_MAXIMUM) {
    const message = `Query cost is ${cost}, which exceeds the single query max cost limit (${QUERY_MAXIMUM}).`;
    const extensions = { code: "MAX_COST_EXCEEDED", cost, maxCost: QUERY_MAXIMUM, documentation: COST_DOCUMENTATION };
    return reply({ errors: [{ message, extensions }] });
  }
  if (store.faults.graphql === "throttled" || !store.bucket.take(cost)) {
    store.journal.add({ kind: "graphql", what: `throttled ${name}`, status: 200 });
    const extensions = { code: "THROTTLED", documentation: COST_DOCUMENTATION };
    return reply({ errors: [{ message: "Throttled", extensions }], extensions: costs(null) });
  }

  // A scope that the merchant has revoked is lost to the tokens that are out.
  const scopes = token.scopes.filter((scope) => store.installation.scopes.includes(scope));
  const result = await execute({
    schema,
    document,
    rootValue: rootValue(store, { scopes }, hooks),
    variableValues: variables,
    operationName,
  });
  // Shopify charges for what was there. Pages are rarely full, so half of the rest comes back, as a rule of thumb.
  const actual = Math.ceil(cost / 2);
  store.bucket.giveBack(cost - actual);
  store.journal.add({ kind: "graphql", what: `${name}, ${cost} points`, status: 200 });
  return reply({ ...result, extensions: costs(actual) });
}

/** @returns the mistakes when there are any */
function readDocument(query: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parse(query);
    const mistakes = validate(schema, document);
    return mistakes.length > 0 ? mistakes : document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
