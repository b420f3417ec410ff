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
    "Events are sent as they happen from now on, signed as Standard Webhooks are; anything but a 2xx within 15 seconds is tried again for about a day. Keep the `secret`: it is not shown again. A store can have 20 webhooks.",
  status: 201,
  idempotent: true,
  access: bearer("write_webhooks"),
  params: noParameters,
  query: noParameters,
  body: createWebhookBody,
  data: createdWebhookSchema,
  failures: ["webhook_limit_reached"],
  async handle(call) {
    // What was answered before is not for it.
    await processOutbox(call.caller.shopId);
    return runIdempotently(call, "createWebhook", (tx) => createWebhook(tx, call.caller.shopId, call.body));
  },
});

const getWebhooks = endpoint({
  method: "GET",
  operationId: "listWebhooks",
  tag: "Webhooks",
  summary: "List the webhooks",
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
