import { z } from "zod";
import { endpoint, noBody } from "../../http/endpoint.server.ts";
import { runIdempotently } from "../../http/idempotency.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { resource } from "../../http/resource.server.ts";
import { deliverySchema, eventSchema, testWebhook, webhookIdSchema } from "../../webhooks/index.server.ts";

const postTest = endpoint({
  method: "POST",
  operationId: "testWebhook",
  tag: "Webhooks",
  summary: "Send a test event",
  description:
    "Creates a delivery of a sample event with ids such as `test-customer`. The list of deliveries shows its result. A delivery of a disabled webhook is sent when the webhook is enabled.",
  status: 201,
  idempotent: true,
  access: bearer("write_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema }),
  query: z.strictObject({
    event: eventSchema
      .optional()
      .meta({ description: "The event to send, subscribed or not; by default the webhook's first event" }),
  }),
  body: noBody,
  data: deliverySchema,
  failures: ["webhook_not_found"],
  handle(call) {
    const { caller, params, query } = call;
    return runIdempotently(call, "testWebhook", (tx) => testWebhook(tx, caller.shopId, params.webhookId, query.event));
  },
});

const route = resource("/v1/webhooks/{webhookId}/test", [postTest]);

export const loader = route.loader;
export const action = route.action;
