import { z } from "zod";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import type { ChannelType, DeliveryResult, OutgoingMessage } from "../webhooks/index.server.ts";
import { payloadOf, TRIGGERS } from "./triggers.ts";

const TIMEOUT = 15_000;

const RECEIVE = `#graphql
  mutation FlowTriggerReceive($handle: String!, $payload: JSON!) {
    flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { field message } }
  }`;

const receivedSchema = z.object({
  flowTriggerReceive: z.object({ userErrors: z.array(z.object({ message: z.string() })) }).nullable(),
});

const bodySchema = z.object({ event: z.string(), shop: z.string(), data: z.unknown() });

interface FlowCall {
  handle: string;
  payload: Record<string, string | number>;
}

/**
 * Returns the variables of the call for an event's body, or undefined where Shopify would not know the customer or the product.
 * @param isFull whether the payload has the optional fields of the trigger
 */
export function flowCall(body: string, isFull = true): FlowCall | undefined {
  const { event, data } = bodySchema.parse(JSON.parse(body));
  const trigger = TRIGGERS.find((one) => one.event === event);
  const payload = trigger && payloadOf(trigger, data, isFull);
  return payload && { handle: trigger.handle, payload };
}

let notifyDenied: (shop: string) => Promise<void> = async () => undefined;

/** Sets the listener for refused calls: the shop may have withdrawn a permission. @param listener gets the shop's domain */
export function onFlowDenied(listener: typeof notifyDenied): void {
  notifyDenied = listener;
}

type Outcome = Pick<DeliveryResult, "status" | "error" | "ok"> & Partial<Pick<DeliveryResult, "retryAfterMs">>;

/** Returns the outcome of a call that did not succeed. @param error null where the status tells enough */
function failed(status: number | null, error: string | null, retryAfterMs?: number): Outcome {
  return { status, error, retryAfterMs, ok: false };
}

/** Returns whether a call has fields without which Shopify may know its trigger. */
function hasOptional({ handle, payload }: FlowCall): boolean {
  const fields = TRIGGERS.find((one) => one.handle === handle)?.fields ?? [];
  return fields.some(({ described, isOptional }) => isOptional && described && described.key in payload);
}

/** Fires the trigger of an event. A version of the app at Shopify from before a field was added refuses it, so the call is repeated without those fields. */
async function fire(body: string, isFull = true): Promise<Outcome> {
  const { shop } = bodySchema.parse(JSON.parse(body));
  const call = flowCall(body, isFull);
  if (!call) return failed(null, "the event has no ids of Shopify's");
  try {
    const result = await queryAdminApi(shop, RECEIVE, {
      variables: { ...call },
      schema: receivedSchema,
      within: TIMEOUT,
    });
    if (!result) return failed(null, "the shop has no session with Shopify");
    const [problem] = result.data.flowTriggerReceive?.userErrors ?? [];
    if (problem && isFull && hasOptional(call)) return await fire(body, false);
    if (problem) return failed(200, `Shopify Flow refused the payload: ${problem.message}`);
    return { status: 200, error: null, ok: true };
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    const { status, reason, message, retryAfter } = error;
    if (status !== undefined) return failed(status, null, retryAfter);
    if (reason === "unauthorized") {
      await notifyDenied(shop);
      return failed(200, "Shopify denied access to the customer, product or order of the trigger");
    }
    return failed(reason === "unreachable" ? null : 200, message, retryAfter);
  }
}

async function send({ body }: OutgoingMessage): Promise<DeliveryResult> {
  const started = performance.now();
  const { status, error, ok, retryAfterMs } = await fire(body).catch((problem: unknown) =>
    failed(null, problem instanceof Error ? problem.message : String(problem)),
  );
  return {
    // 410 would disable the webhook: Shopify never means that.
    ...(status === 410 ? { status: null, error: "Shopify responded with 410" } : { status, error }),
    response: null,
    durationMs: Math.round(performance.now() - started),
    retryAfterMs,
    ok,
  };
}

/** Sends deliveries to Shopify Flow: the events of the workflows that use the app's triggers, by the Admin API of the shop. */
export const flowChannel: ChannelType = {
  open: () => ({ send, close: async () => undefined }),
  // Shopify Flow knows the customer by itself.
  needsRecipients: false,
  isByCustomer: false,
};
