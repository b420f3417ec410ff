import { z } from "zod";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { runIdempotently } from "../http/idempotency.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { deliveryIdSchema, deliverySchema, redeliver, webhookIdSchema } from "../webhooks/index.server.ts";

const postRedelivery = endpoint({
  method: "POST",
  operationId: "redeliverWebhook",
  tag: "Webhooks",
  summary: "Redeliver an event",
  description:
    "Creates another delivery of the same event, whatever the status of this one. The receiver gets the same `webhook-id`. A delivery of a disabled webhook is sent when the webhook is enabled.",
  status: 201,
  idempotent: true,
  access: bearer("write_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema, deliveryId: deliveryIdSchema }),
  query: noParameters,
  body: noBody,
  data: deliverySchema,
  failures: ["webhook_not_found"],
  handle(call) {
    const { shopId } = call.caller;
    const { webhookId, deliveryId } = call.params;
    return runIdempotently(call, "redeliverWebhook", (tx) => redeliver(tx, shopId, webhookId, deliveryId));
  },
});

const route = resource("/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", [postRedelivery]);

export const loader = route.loader;
export const action = route.action;
