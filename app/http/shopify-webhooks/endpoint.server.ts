import { setTimeout as after } from "node:timers/promises";
import type { ActionFunctionArgs } from "@remix-run/node";
import { isUnavailable } from "../../platform/database-errors.server.ts";
import { Failure } from "../../platform/failure.ts";
import { log } from "../../platform/log.server.ts";
import { authenticate } from "../../shopify.server.ts";
import { acceptStoreEvent, type Topic } from "../../store-events/index.server.ts";
import { failureResponse } from "../response.server.ts";
import { readBytes, payloadTooLarge } from "../body.server.ts";
import { addressBucket } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import { chargeRequest, checkExhausted, type Charge } from "../rate-limits.server.ts";

/** Seconds after which Shopify may deliver a refused webhook again. */
const RETRY_AFTER = 5;

/** Maximum bytes of a webhook. A few hundred suffice, because `shopify.app.toml` subscribes to a product's id only. */
export const DELIVERY_LIMIT = 64 * 1024;

/** Maximum bytes of all webhooks whose signature is not yet verified. Bounds the memory that unauthenticated requests can use. */
const IN_FLIGHT_LIMIT = 8 * 1024 * 1024;

/** Milliseconds within which a webhook's body must arrive. Shopify gives up after five seconds. */
const BODY_TIMEOUT = 5_000;

let inFlight = 0;

/** Parses `X-Shopify-Triggered-At`. @returns undefined when it is not a valid time */
function toTime(text: string | undefined): Date | undefined {
  const time = new Date(text ?? "");
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The limit for webhooks that Shopify did not sign, per address. */
export function forgeryCharge(context: RequestContext): Charge {
  return { class: "forgeries", subject: addressBucket(context.clientAddress) };
}

type Delivery = Awaited<ReturnType<typeof authenticate.webhook>>;

/** Reads a webhook's body, whose sender is not yet authenticated. */
export async function readDelivery(request: Request): Promise<Uint8Array<ArrayBuffer> | Failure> {
  const announced = Number(request.headers.get("content-length") ?? DELIVERY_LIMIT);
  if (inFlight + announced > IN_FLIGHT_LIMIT) {
    return new Failure("service_unavailable", "Too many webhooks are arriving. Deliver it again later.", {
      retryAfter: RETRY_AFTER,
    });
  }
  inFlight += announced;
  const tooLate = new AbortController();
  try {
    const late = after(BODY_TIMEOUT, null, { signal: tooLate.signal }).catch(() => null);
    const body = await Promise.race([readBytes(request, DELIVERY_LIMIT).catch(() => null), late]);
    if (body === null) return new Failure("invalid_request", "The request body is incomplete.");
    return body === undefined ? payloadTooLarge(DELIVERY_LIMIT) : Buffer.from(body);
  } finally {
    tooLate.abort();
    inFlight -= announced;
  }
}

/** Reads a webhook and verifies its signature. @returns why it is refused, as a Response if Shopify's library created one */
async function readSignedDelivery(request: Request): Promise<Delivery | Failure | Response> {
  const body = await readDelivery(request);
  if (body instanceof Failure) return body;
  try {
    return await authenticate.webhook(
      new Request(request.url, { method: request.method, headers: request.headers, body }),
    );
  } catch (error) {
    if (error instanceof Response) return error;
    if (error instanceof SyntaxError) return new Failure("invalid_json", "The payload is not valid JSON.");
    throw error;
  }
}

/** Tells whether a refused webhook has no valid signature. The payload is parsed after the signature is verified. */
function isUnsigned(refused: Failure | Response): boolean {
  if (refused instanceof Response) return refused.status < 500;
  return refused.code !== "service_unavailable" && refused.code !== "invalid_json";
}

/**
 * Creates the action of a route that receives Shopify's webhooks: it verifies and stores a webhook, and responds before the webhook is
 * processed. Responds with 401 to an unsigned webhook, 400 to an incomplete one, 429 to addresses that send forgeries, and 503 when
 * Shopify should deliver it again.
 * @param path the route's path, for the log
 */
export function shopifyWebhookAction(path: string, topics: readonly Topic[]) {
  const action = async ({ request, context }: ActionFunctionArgs): Promise<Response> => {
    const { requestId, logged } = context.http;
    logged.route = path;
    const refuse = (failure: Failure): Response => {
      logged.code = failure.code;
      // Closes the connection, so that the rest of the body is not received.
      return failureResponse(failure, { requestId, headers: { Connection: "close" } });
    };

    const closed = await checkExhausted(forgeryCharge(context.http));
    if (closed) return refuse(closed.refusal);
    const delivery = await readSignedDelivery(request);
    if (delivery instanceof Failure || delivery instanceof Response) {
      if (isUnsigned(delivery)) await chargeRequest([forgeryCharge(context.http)]);
      return delivery instanceof Failure ? refuse(delivery) : delivery;
    }
    const { shop, topic, webhookId, payload, triggeredAt } = delivery;
    logged.shop = shop;
    const known = topics.find((name) => name === topic);
    if (!known) return refuse(new Failure("invalid_request", `${path} does not accept this topic.`));
    try {
      const event = { shop, topic: known, webhookId, payload, triggeredAt: toTime(triggeredAt) };
      if (await acceptStoreEvent(event)) return new Response(null, { status: 200 });
      log.warn({ requestId, route: path, shop }, "a webhook from Shopify lacks the resource of its topic");
      return refuse(new Failure("invalid_request", "The payload lacks the resource of the topic."));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return refuse(
        new Failure("service_unavailable", "The database is unavailable. Deliver it again later.", {
          retryAfter: RETRY_AFTER,
        }),
      );
    }
  };
  return Object.assign(action, { bodyLimit: DELIVERY_LIMIT });
}
