import { buildSchema, graphql } from "graphql";
import { z } from "zod";
import type { RequestContext } from "../foundation/request-context.ts";
import { gid } from "../foundation/gid.ts";
import type { FaultyBehaviour } from "../store/faults.ts";
import type { Store } from "../store/store.ts";

const VERSION = "2026-10";

/** The part of the Customer Account API that the app and a shop front use. */
const schema = buildSchema(`
  type CustomerEmailAddress { emailAddress: String }
  type Customer { id: ID! firstName: String lastName: String displayName: String! emailAddress: CustomerEmailAddress }
  type Query { customer: Customer }
`);

const bodySchema = z.object({ query: z.string().min(1), variables: z.record(z.string(), z.unknown()).nullish() });

function faulty(behaviour: Exclude<FaultyBehaviour, { until: Promise<unknown> } | "hangs">): Response {
  const status = typeof behaviour === "object" ? behaviour.status : 429;
  const headers =
    typeof behaviour === "object" && behaviour.location !== undefined ? { location: behaviour.location } : {};
  return Response.json({ errors: [{ message: "The request failed" }] }, { status, headers });
}

/**
 * `GET /.well-known/customer-account-api`: tells where the store's Customer Account API is. The app's server, which names the shop in
 * X-Forwarded-Host, knows it by Shopify's name; a browser reaches it at the store's address.
 */
export async function discovery(store: Store, request: Request, { addresses }: RequestContext): Promise<Response> {
  const fault = await store.faults.encounter("discovery");
  if (fault !== undefined) return faulty(fault);
  const origin = request.headers.has("x-forwarded-host") ? `https://${store.shop.domain}` : addresses.storefront;
  return Response.json({
    graphql_api: `${origin}/customer/api/${VERSION}/graphql`,
    mcp_api: `${origin}/customer/api/mcp`,
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
  const known = store.customers.byId(customerId);
  const facts = known && {
    firstName: known.firstName,
    lastName: known.lastName,
    displayName: `${known.firstName} ${known.lastName}`,
    emailAddress: { emailAddress: known.email },
  };
  const result = await graphql({
    schema,
    source: body.query,
    rootValue: { customer: { id: gid("Customer", customerId), displayName: "", ...facts } },
    variableValues: body.variables ?? {},
  });
  return Response.json(result);
}
