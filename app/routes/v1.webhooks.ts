import { processOutbox } from "../activity/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { runIdempotently } from "../http/idempotency.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  createdWebhookSchema,
  createWebhook,
  createWebhookBody,
  listWebhooks,
  webhooksSchema,
} from "../webhooks/index.server.ts";

const postWebhook = endpoint({
  method: "POST",
  operationId: "createWebhook",
  tag: "Webhooks",
  summary: "Subscribe to events",
  description:
    "Sends events that happen from now on, signed according to Standard Webhooks. Unless the receiver responds with 2xx within 15 seconds, a delivery is retried for about a day. Store the `secret`: it is not shown again. A shop can have 20 webhooks.",
  status: 201,
  idempotent: true,
  access: bearer("write_webhooks"),
  params: noParameters,
  query: noParameters,
  body: createWebhookBody,
  data: createdWebhookSchema,
  failures: ["webhook_limit_reached"],
  async handle(call) {
    // Earlier events are not for the new webhook.
    await processOutbox(call.caller.shopId);
    return runIdempotently(call, "createWebhook", (tx) => createWebhook(tx, call.caller.shopId, call.body));
  },
});

const getWebhooks = endpoint({
  method: "GET",
  operationId: "listWebhooks",
  tag: "Webhooks",
  summary: "List webhooks",
  access: bearer("read_webhooks"),
  params: noParameters,
  query: noParameters,
  body: noBody,
  data: webhooksSchema,
  async handle({ caller }) {
    return { data: { webhooks: await listWebhooks(caller.shopId) } };
  },
});

const route = resource("/v1/webhooks", [postWebhook, getWebhooks]);

export const loader = route.loader;
export const action = route.action;
