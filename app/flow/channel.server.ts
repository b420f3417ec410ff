import { z } from "zod";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import type { Channel, DeliveryResult, WebhookRequest } from "../webhooks/index.server.ts";
import { TRIGGERS } from "./triggers.ts";

const TIMEOUT = 15_000;

const RECEIVE = `#graphql
  mutation FlowTriggerReceive($handle: String!, $payload: JSON!) {
    flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { field message } }
  }`;

const receivedSchema = z.object({
  flowTriggerReceive: z.object({ userErrors: z.array(z.object({ message: z.string() })) }).nullable(),
});

const bodySchema = z.object({ event: z.string(), shop: z.string(), data: z.unknown() });

/** Fires the trigger of an event. @returns why it could not, and how long to wait */
async function fire(
  body: string,
): Promise<{ error: string | null; status: number | null; retryAfterMs?: number | undefined }> {
  const { event, shop, data } = bodySchema.parse(JSON.parse(body));
  const trigger = TRIGGERS.find((one) => one.event === event);
  const payload = trigger?.payload.safeParse(data);
  if (!trigger || !payload?.success) return { error: "the event has no ids of Shopify's", status: null };
  try {
    const result = await queryAdminApi(shop, RECEIVE, {
      variables: { handle: trigger.handle, payload: payload.data },
      schema: receivedSchema,
      within: TIMEOUT,
    });
    if (!result) return { error: "the shop has no session with Shopify", status: null };
    const [problem] = result.data.flowTriggerReceive?.userErrors ?? [];
    return { error: problem ? `Shopify Flow refused the payload: ${problem.message}` : null, status: 200 };
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    return { error: error.message, status: error.status ?? null, retryAfterMs: error.retryAfter };
  }
}

async function send({ body }: WebhookRequest): Promise<DeliveryResult> {
  const started = performance.now();
  const { error, status, retryAfterMs } = await fire(body).catch((problem: unknown) => ({
    error: problem instanceof Error ? problem.message : String(problem),
    status: null,
    retryAfterMs: undefined,
  }));
  return {
    // 410 would disable the webhook: Shopify never means that.
    status: status === 410 ? null : status,
    error,
    response: null,
    durationMs: Math.round(performance.now() - started),
    retryAfterMs,
    ok: error === null,
  };
}

/** Sends deliveries to Shopify Flow: the events of the workflows that use the app's triggers, by the Admin API of the shop. */
export const flowChannel: Channel = { send, close: async () => undefined };
