import { isUnavailable } from "../../platform/database/errors.server.ts";
import { Failure } from "../../platform/failure.ts";
import { log } from "../../platform/log/log.server.ts";
import { authenticate } from "../../shopify.server.ts";
import { acceptStoreEvent, type Topic } from "../../store-events/index.server.ts";
import type { Resource } from "../surface.server.ts";
import { deliveryResource, Forgery, RETRY_AFTER } from "./deliveries.server.ts";

/** Parses `X-Shopify-Triggered-At`. @returns undefined when it is not a valid time */
function toTime(text: string | undefined): Date | undefined {
  const time = new Date(text ?? "");
  return Number.isNaN(time.getTime()) ? undefined : time;
}

type Delivery = Awaited<ReturnType<typeof authenticate.webhook>>;

/** Verifies the signature of a webhook and parses it. @returns why it is refused, as a Response if Shopify's library created one */
async function verify(
  { url, method, headers }: Request,
  body: Uint8Array<ArrayBuffer>,
): Promise<Delivery | Failure | Forgery | Response> {
  try {
    return await authenticate.webhook(new Request(url, { method, headers, body }));
  } catch (error) {
    if (error instanceof Response) return error.status < 500 ? new Forgery(error) : error;
    // The payload is parsed after the signature is verified.
    if (error instanceof SyntaxError) return new Failure("invalid_json", "The payload is not valid JSON.");
    throw error;
  }
}

/**
 * Creates a resource that receives Shopify's webhooks: it verifies and stores a webhook, and responds before the webhook is processed.
 * @param path as `shopify.app.toml` names it
 */
export function storeEvents(path: string, topics: readonly Topic[]): Resource {
  return deliveryResource(path, async (request, body, { requestId, logged }) => {
    const delivery = await verify(request, body);
    if (delivery instanceof Failure || delivery instanceof Forgery || delivery instanceof Response) return delivery;
    const { shop, topic, webhookId, payload, triggeredAt } = delivery;
    logged.shop = shop;
    const known = topics.find((name) => name === topic);
    if (!known) return new Failure("invalid_request", `${path} does not accept this topic.`);
    try {
      const event = { shop, topic: known, webhookId, payload, triggeredAt: toTime(triggeredAt) };
      if (await acceptStoreEvent(event)) return new Response(null, { status: 200 });
      log.warn({ requestId, route: path, shop }, "a webhook from Shopify lacks the resource of its topic");
      return new Failure("invalid_request", "The payload lacks the resource of the topic.");
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return new Failure("service_unavailable", "The database is unavailable. Deliver it again later.", {
        retryAfter: RETRY_AFTER,
      });
    }
  });
}
