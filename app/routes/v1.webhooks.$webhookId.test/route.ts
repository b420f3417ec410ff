import { z } from "zod";
import { endpoint, noBody } from "../../http/endpoint.server.ts";
import { runIdempotently } from "../../http/idempotency.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { resource } from "../../http/resource.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  deliverySchema,
  eventSchema,
  testWebhook,
  wakeDeliveries,
  webhookIdSchema,
} from "../../webhooks/index.server.ts";

const postTest = endpoint({
  method: "POST",
  operationId: "testWebhook",
  tag: "Webhooks",
  summary: "Send a test",
  description:
    "Makes a delivery of an event that did not happen, with made-up ids such as `test-customer`; the list of deliveries tells what became of it. That of a disabled webhook waits until it is enabled.",
  status: 201,
  idempotent: true,
  access: bearer("write_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema }),
  query: z.strictObject({
    event: eventSchema
      .optional()
      .meta({ description: "The event to make up, subscribed to or not; the webhook's first one when left out" }),
  }),
  body: noBody,
  data: deliverySchema,
  failures: ["webhook_not_found"],
  async handle(call) {
    const { caller, params, query } = call;
    const answer = await runIdempotently(call, "testWebhook", (tx) =>
      testWebhook(tx, caller.shopId, params.webhookId, query.event),
    );
    if (!(answer instanceof Failure)) wakeDeliveries({ shopId: caller.shopId, endpointIds: [params.webhookId] });
    return answer;
  },
});

const route = resource("/v1/webhooks/{webhookId}/test", [postTest]);

export const loader = route.loader;
export const action = route.action;
