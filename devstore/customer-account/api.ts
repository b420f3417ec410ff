import { buildSchema, graphql } from "graphql";
import { z } from "zod";
import type { FaultyBehaviour } from "../store/faults.ts";
import type { Store } from "../store/store.ts";

const VERSION = "2026-10";

/** The part of the Customer Account API that the app uses. */
const schema = buildSchema(`
  type Customer { id: ID! }
  type Query { customer: Customer }
`);

const bodySchema = z.object({ query: z.string().min(1), variables: z.record(z.string(), z.unknown()).nullish() });

function faulty(behaviour: Exclude<FaultyBehaviour, { until: Promise<unknown> } | "hangs">): Response {
  const status = typeof behaviour === "object" ? behaviour.status : 429;
  return Response.json({ errors: [{ message: "The request failed" }] }, { status });
}

/** `GET /.well-known/customer-account-api`: tells where the store's Customer Account API is. */
export async function discovery(store: Store): Promise<Response> {
  const fault = await store.faults.encounter("discovery");
  if (fault !== undefined) return faulty(fault);
  return Response.json({
    graphql_api: `https://${store.shop.domain}/customer/api/${VERSION}/graphql`,
    mcp_api: `https://${store.shop.domain}/customer/api/mcp`,
  });
}

/** `POST /customer/api/{version}/graphql`. The token stands in `Authorization` without a scheme. */
export async function customerAccountApi(store: Store, request: Request): Promise<Response> {
  const body = bodySchema.parse(await request.json());
  store.customerApiRequests.push({ query: body.query });
  const fault = await store.faults.encounter("customer account");
  if (fault !== undefined) return faulty(fault);
  const customerId = store.customerTokens.customerId(request.headers.get("authorization"));
  if (customerId === undefined) {
    return Response.json(
      { errors: [{ message: "Invalid token", extensions: { code: "UNAUTHORIZED" } }] },
      { status: 401 },
    );
  }
  const result = await graphql({
    schema,
    source: body.query,
    rootValue: { customer: { id: `gid://shopify/Customer/${customerId}` } },
    variableValues: body.variables ?? {},
  });
  return Response.json(result);
}
