import { z } from "zod";
import { dataOrFailure, Failure } from "../platform/failure.ts";
import { productIdSchema, variantIdSchema } from "../wishlists/index.server.ts";
import { noBody, none, operation } from "../wishlists/operations/operation.ts";
import { askForAlert, openRequests, readOffer, withdrawRequests } from "./requests.server.ts";
import { emailSchema, localeSchema, requestKindSchema, targetPriceSchema } from "./wanted.ts";

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

export const listAlertRequests = operation({
  operationId: "listAlertRequests",
  sdkMethod: "alerts.requests.list",
  tag: "Alerts",
  summary: "Read what a customer has asked for about single variants",
  description: "Those that are open, the newest first. A request ends with its alert, or after a year.",
  effect: "read",
  customersOnly: true,
  ids: none,
  options: none,
  body: noBody,
  data: z
    .object({
      offered: z.array(requestKindSchema).meta({
        description: "What the customer can ask for: the kinds that the shop has on",
        example: ["back_in_stock", "price_dropped"],
        "x-additive": true,
      }),
      requests: z.array(requestSchema),
    })
    .meta({ id: "AlertRequests" }),
  async handle({ caller: { plan }, list: { shopId, id } }) {
    const [offered, requests] = await Promise.all([readOffer(shopId, plan, false), openRequests(shopId, id)]);
    return dataOrFailure({
      offered,
      requests: requests.map(({ requestedAt, ...request }) => ({ ...request, requestedAt: requestedAt.toISOString() })),
    });
  },
});

export const createAlertRequest = operation({
  operationId: "createAlertRequest",
  sdkMethod: "alerts.requests.create",
  tag: "Alerts",
  summary: "Ask to be told once about a variant",
  description:
    "When it is back in stock, or cheaper. A customer's request saves the variant in the default list, unless it is saved, and replaces an earlier one for the same. A guest gives an email address, whose owner confirms the request by a link; the response says nothing about what is known of the address.",
  effect: "write",
  ids: none,
  options: none,
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
  async handle({ caller, list, body }) {
    const { product_id: productId, variant_id: variantId, target_price: targetPrice, ...rest } = body;
    const state = await askForAlert(caller, list, { productId, variantId, targetPrice, ...rest });
    return dataOrFailure(state instanceof Failure ? state : { state });
  },
});

export const removeAlertRequests = operation({
  operationId: "removeAlertRequests",
  sdkMethod: "alerts.requests.remove",
  tag: "Alerts",
  summary: "Withdraw what a customer has asked for about a product or a variant",
  effect: "write",
  customersOnly: true,
  ids: z.strictObject({ productId: productIdSchema }),
  options: z.strictObject({
    variant_id: variantIdSchema.optional().meta({ description: "Only those about this variant" }),
    kind: requestKindSchema.optional().meta({ description: "Only those of this kind", example: "back_in_stock" }),
  }),
  body: noBody,
  data: z
    .object({ withdrawn: z.int().min(0).meta({ description: "Requests that were open", example: 1 }) })
    .meta({ id: "WithdrawnAlertRequests" }),
  async handle({ list: { shopId, id }, ids: { productId }, options: { variant_id: variantId, kind } }) {
    const kinds = kind === undefined ? undefined : [kind];
    return dataOrFailure({ withdrawn: await withdrawRequests(shopId, id, { productId, variantId, kinds }) });
  },
});
