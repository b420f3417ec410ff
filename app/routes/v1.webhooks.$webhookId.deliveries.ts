import { z } from "zod";
import { endpoint, noBody, dataOrFailure } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { deliveriesQuery, deliveriesSchema, listDeliveries, webhookIdSchema } from "../webhooks/index.server.ts";

const getDeliveries = endpoint({
  method: "GET",
  operationId: "listWebhookDeliveries",
  tag: "Webhooks",
  summary: "List the deliveries of a webhook",
  description:
    "Newest first, with every attempt and the receiver's response. Deliveries are kept for 30 days. For the next page, pass the `deliveryId` of the last delivery as `before`.",
  access: bearer("read_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema }),
  query: deliveriesQuery,
  body: noBody,
  data: deliveriesSchema,
  failures: ["webhook_not_found"],
  handle: async ({ caller, params, query }) =>
    dataOrFailure(await listDeliveries(caller.shopId, params.webhookId, query)),
});

const route = resource("/v1/webhooks/{webhookId}/deliveries", [getDeliveries]);

export const loader = route.loader;
export const action = route.action;
