import { z } from "zod";
import { processOutbox } from "../activity/index.server.ts";
import { endpoint, noBody, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { transaction } from "../platform/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import {
  deletedWebhookSchema,
  deleteWebhook,
  getWebhook,
  updateWebhook,
  updateWebhookBody,
  webhookIdSchema,
  webhookSchema,
} from "../webhooks/index.server.ts";

const readWebhook = endpoint({
  method: "GET",
  operationId: "getWebhook",
  tag: "Webhooks",
  summary: "Read a webhook",
  access: bearer("read_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema }),
  query: noParameters,
  body: noBody,
  data: webhookSchema,
  failures: ["webhook_not_found"],
  handle: async ({ caller, params }) => dataOrFailure(await getWebhook(caller.shopId, params.webhookId)),
});

const patchWebhook = endpoint({
  method: "PATCH",
  operationId: "updateWebhook",
  tag: "Webhooks",
  summary: "Change, pause or resume a webhook",
  description:
    "Fields that are left out stay unchanged. `enabled: true`, or another `url`, enables the webhook again: its failures are reset and pending deliveries are sent. Another `url` alone does not resume a paused webhook.",
  access: bearer("write_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema }),
  query: noParameters,
  body: updateWebhookBody,
  data: webhookSchema,
  failures: ["webhook_not_found"],
  async handle({ caller, params, body }) {
    // Earlier events keep the previous configuration.
    await processOutbox(caller.shopId);
    return dataOrFailure(
      await transaction(caller.shopId, (tx) => updateWebhook(tx, caller.shopId, params.webhookId, body)),
    );
  },
});

const removeWebhook = endpoint({
  method: "DELETE",
  operationId: "deleteWebhook",
  tag: "Webhooks",
  summary: "Delete a webhook",
  description: "Stops all deliveries, including pending ones.",
  access: bearer("write_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema }),
  query: noParameters,
  body: noBody,
  data: deletedWebhookSchema,
  failures: ["webhook_not_found"],
  async handle({ caller, params }) {
    const deleted = await transaction(caller.shopId, (tx) => deleteWebhook(tx, caller.shopId, params.webhookId));
    return deleted instanceof Failure ? deleted : { data: { deleted: true as const } };
  },
});

const route = resource("/v1/webhooks/{webhookId}", [readWebhook, patchWebhook, removeWebhook]);

export const loader = route.loader;
export const action = route.action;
