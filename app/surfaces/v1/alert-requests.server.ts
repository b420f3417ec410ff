import { z } from "zod";
import {
  askAsCustomer,
  askByAddress,
  emailSchema,
  localeSchema,
  openRequests,
  requestKindSchema,
  targetPriceSchema,
  withdrawRequests,
} from "../../contacts/index.server.ts";
import { endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import type { Policy } from "../../http/policy.server.ts";
import type { Principal } from "../../access/index.server.ts";
import { dataOrFailure, Failure } from "../../platform/failure.ts";
import {
  callerOf,
  ownerInPath,
  ownerParameter,
  productIdSchema,
  variantIdSchema,
} from "../../wishlists/index.server.ts";

const params = z.strictObject({ customerId: ownerParameter });

const requestSchema = z
  .object({
    kind: requestKindSchema,
    productId: productIdSchema,
    variantId: variantIdSchema,
    targetPrice: targetPriceSchema.nullable().meta({
      description: "The price at which the customer wants to be told; null for any lower price that counts as a drop",
    }),
    requestedAt: z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-20T09:30:00.000Z" }),
  })
  .meta({ id: "AlertRequest" });

const requestBody = z
  .strictObject({
    kind: requestKindSchema.meta({ example: "price_dropped" }),
    product_id: productIdSchema,
    variant_id: variantIdSchema,
    target_price: targetPriceSchema.optional().meta({
      description: "For `price_dropped`: the price at which to tell, in the shop's currency, lower than today's",
    }),
    email: emailSchema.optional().meta({ description: "The guest's address; for a customer it must be left out" }),
    locale: localeSchema.optional().meta({ description: "Language of the emails" }),
  })
  .meta({ id: "NewAlertRequest" });

const stateSchema = z
  .object({
    state: z.enum(["active", "confirm"]).meta({
      description:
        "`active`: the alert is on; `confirm`: the guest's address gets an email with a link, and nothing else before it is confirmed there",
      example: "active",
    }),
  })
  .meta({ id: "AlertRequestState" });

const FIELDS = { email: "body.email", targetPrice: "body.target_price", variantId: "body.variant_id" } as const;

/** A guest asks by an email address, which has a limit of its own. */
const asker: Policy<Principal, unknown> = {
  ...bearer("write_wishlists"),
  bodyCharges: ({ shopId, owner, address = "" }) =>
    owner?.kind === "guest" ? [{ class: "alert_requests", subject: `${shopId}:${address}` }] : [],
};

function emailProblem(problem: string): Failure {
  return new Failure("invalid_request", `${FIELDS.email} ${problem}.`, { details: [{ path: FIELDS.email, problem }] });
}

export const getAlertRequests = endpoint({
  operationId: "listAlertRequests",
  sdkMethod: "alerts.requests.list",
  tag: "Alerts",
  summary: "Read what a customer has asked for about single variants",
  description: "Those that are open, the newest first. A request ends with its alert, or after a year.",
  access: bearer("read_wishlists", { customersOnly: true }),
  params,
  query: noParameters,
  body: noBody,
  data: z.object({ requests: z.array(requestSchema) }).meta({ id: "AlertRequests" }),
  async handle({ caller, params: { customerId } }) {
    const { shopId, id } = ownerInPath(caller, customerId);
    const requests = await openRequests(shopId, id);
    return dataOrFailure({
      requests: requests.map(({ requestedAt, ...request }) => ({ ...request, requestedAt: requestedAt.toISOString() })),
    });
  },
});

export const postAlertRequest = endpoint({
  operationId: "createAlertRequest",
  sdkMethod: "alerts.requests.create",
  tag: "Alerts",
  summary: "Ask to be told once about a variant",
  description:
    "When it is back in stock, or cheaper. A customer's request saves the variant in the default list, unless it is saved, and replaces an earlier one for the same. A guest gives an email address, whose owner confirms the request by a link; the response says nothing about what is known of the address.",
  access: asker,
  params,
  query: noParameters,
  body: requestBody,
  data: stateSchema,
  failures: [
    "alerts_unavailable",
    "alert_request_limit",
    "product_not_found",
    "catalog_unavailable",
    "wishlist_full",
    "rate_limited",
  ],
  async handle({ caller, params: { customerId }, body }) {
    const list = ownerInPath(caller, customerId);
    const { kind, product_id: productId, variant_id: variantId, target_price: targetPrice, email, locale } = body;
    const wanted = { kind, productId, variantId, targetPrice, locale };
    const of = { shopId: caller.shopId, plan: caller.plan, lookupCaller: callerOf(list), fields: FIELDS };
    if (list.kind === "guest") {
      if (email === undefined) return emailProblem("is missing: a guest has no other address");
      const state = await askByAddress(of, email, wanted);
      return dataOrFailure(state instanceof Failure ? state : { state });
    }
    if (email !== undefined) return emailProblem("must be left out: the store knows the customer's address");
    const state = await askAsCustomer(of, list, wanted, "api");
    return dataOrFailure(state instanceof Failure ? state : { state });
  },
});

export const removeAlertRequests = endpoint({
  operationId: "removeAlertRequests",
  sdkMethod: "alerts.requests.remove",
  tag: "Alerts",
  summary: "Withdraw what a customer has asked for about a product or a variant",
  access: bearer("write_wishlists", { customersOnly: true }),
  params: z.strictObject({ customerId: ownerParameter, productId: productIdSchema }),
  query: z.strictObject({
    variant_id: variantIdSchema.optional().meta({ description: "Only those about this variant" }),
    kind: requestKindSchema.optional().meta({ description: "Only those of this kind", example: "back_in_stock" }),
  }),
  body: noBody,
  data: z
    .object({ withdrawn: z.int().min(0).meta({ description: "Requests that were open", example: 1 }) })
    .meta({ id: "WithdrawnAlertRequests" }),
  async handle({ caller, params: { customerId, productId }, query: { variant_id: variantId, kind } }) {
    const { shopId, id } = ownerInPath(caller, customerId);
    const kinds = kind === undefined ? undefined : [kind];
    return dataOrFailure({ withdrawn: await withdrawRequests(shopId, id, { productId, variantId, kinds }) });
  },
});
