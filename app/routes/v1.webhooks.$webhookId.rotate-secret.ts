import { z } from "zod";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { transaction } from "../platform/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { rotatedSecretSchema, rotateSecret, webhookIdSchema } from "../webhooks/index.server.ts";

const postRotation = endpoint({
  method: "POST",
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Rotate the secret",
  description:
    "For 24 hours, requests are signed with the previous secret as well, so that a receiver can switch without refusing any. Older secrets stop being used at once.",
  access: bearer("write_webhooks"),
  params: z.strictObject({ webhookId: webhookIdSchema }),
  query: noParameters,
  body: noBody,
  data: rotatedSecretSchema,
  failures: ["webhook_not_found"],
  async handle({ caller, params }) {
    const outcome = await transaction(caller.shopId, (tx) => rotateSecret(tx, caller.shopId, params.webhookId));
    return outcome instanceof Failure ? outcome : { data: outcome.rotated };
  },
});

const route = resource("/v1/webhooks/{webhookId}/rotate-secret", [postRotation]);

export const loader = route.loader;
export const action = route.action;
