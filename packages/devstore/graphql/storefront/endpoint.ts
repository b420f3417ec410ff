import { readFileSync } from "node:fs";
import { buildSchema, execute, Kind, type DocumentNode } from "graphql";
import { randomBase62 } from "../../../../app/platform/ids.server.ts";
import type { RequestContext } from "../../foundation/request-context.ts";
import type { Store } from "../../store/store.ts";
import { API_VERSION, parseRequest } from "../request.ts";
import { storefrontRoot } from "./root.ts";

const schema = buildSchema(readFileSync(new URL("schema.graphql", import.meta.url), "utf8"));

const UNAUTHORIZED = { errors: [{ message: "", extensions: { code: "UNAUTHORIZED" } }] };

/** Whether a query reads nothing but the shop. Shopify shows more without a token, which nothing here uses. */
function asksForShopAlone({ definitions }: DocumentNode): boolean {
  return definitions.every(
    (one) =>
      one.kind === Kind.OPERATION_DEFINITION &&
      one.selectionSet.selections.every((field) => field.kind === Kind.FIELD && field.name.value === "shop"),
  );
}

/** `POST /api/{version}/graphql.json` */
export async function storefrontApi(
  store: Store,
  version: string,
  request: Request,
  { addresses }: RequestContext,
): Promise<Response> {
  const reply = (body: unknown, status = 200) =>
    Response.json(body, {
      status,
      headers: { "x-shopify-api-version": version, "x-request-id": randomBase62(22), "cache-control": "no-store" },
    });

  if (!API_VERSION.test(version)) return reply({ errors: "Not Found" }, 404);
  const token = request.headers.get("x-shopify-storefront-access-token");
  if (token !== null && token !== store.options.storefrontAccessToken) return reply(UNAUTHORIZED, 403);
  const parsed = await parseRequest(schema, request);
  if ("status" in parsed) return reply({ errors: parsed.errors }, parsed.status);
  if (token === null && !asksForShopAlone(parsed.document)) return reply(UNAUTHORIZED, 401);
  const { document, operationName, request: query } = parsed;
  return reply(
    await execute({
      schema,
      document,
      rootValue: storefrontRoot(store, addresses.cdn),
      variableValues: query.variables,
      operationName,
    }),
  );
}
