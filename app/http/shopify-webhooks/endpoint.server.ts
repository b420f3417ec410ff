import { setTimeout as after } from "node:timers/promises";
import type { ActionFunctionArgs } from "@remix-run/node";
import { isUnavailable } from "../../platform/database-errors.server.ts";
import { Failure } from "../../platform/failure.ts";
import { log } from "../../platform/log.server.ts";
import { authenticate } from "../../shopify.server.ts";
import { takeStoreEvent, type Topic } from "../../store-events/index.server.ts";
import { failureResponse } from "../response.server.ts";
import { readBytes, payloadTooLarge } from "../body.server.ts";
import { addressBucket } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import { chargeRequest, checkExhausted, type Charge } from "../rate-limits.server.ts";

/** Seconds after which a delivery that could not be taken in makes sense again. */
const RETRY_AFTER = 5;

/** Bytes of a delivery. The topics need a few hundred: `shopify.app.toml` asks for a product's id alone. */
const DELIVERY_LIMIT = 64 * 1024;

/** Bytes of all deliveries whose signature has not been checked yet: what strangers can make this process hold. */
const IN_FLIGHT_LIMIT = 8 * 1024 * 1024;

/** Milliseconds in which a delivery's body has to arrive. Shopify itself gives up after five seconds. */
const BODY_TIMEOUT = 5_000;

let inFlight = 0;

/** `X-Shopify-Triggered-At`, when it is a time. */
function toTime(text: string | undefined): Date | undefined {
  const time = new Date(text ?? "");
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** A delivery that Shopify did not sign counts against the address from which it came. */
function forgeryCharge(context: RequestContext): Charge {
  return { class: "forgeries", subject: addressBucket(context.clientAddress) };
}

type Delivery = Awaited<ReturnType<typeof authenticate.webhook>>;

/** Reads a delivery's body. Until its signature is known to be right, it comes from anybody. */
async function readDelivery(request: Request): Promise<Uint8Array<ArrayBuffer> | Failure> {
  const announced = Number(request.headers.get("content-length") ?? DELIVERY_LIMIT);
  if (inFlight + announced > IN_FLIGHT_LIMIT) {
    return new Failure("service_unavailable", "Too many deliveries arrive at once. Deliver it again.", {
      retryAfter: RETRY_AFTER,
    });
  }
  inFlight += announced;
  const tooLate = new AbortController();
  try {
    const late = after(BODY_TIMEOUT, null, { signal: tooLate.signal }).catch(() => null);
    const body = await Promise.race([readBytes(request, DELIVERY_LIMIT).catch(() => null), late]);
    if (body === null) return new Failure("invalid_request", "The request body did not arrive whole.");
    return body === undefined ? payloadTooLarge(DELIVERY_LIMIT) : Buffer.from(body);
  } finally {
    tooLate.abort();
    inFlight -= announced;
  }
}

/** Reads a delivery and checks its signature. @returns why it is refused, as a Response when Shopify's library has one */
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

/** Is a refused delivery none of Shopify's? A payload is parsed after its signature, and a busy process refuses everybody. */
function isUnsigned(refused: Failure | Response): boolean {
  if (refused instanceof Response) return refused.status < 500;
  return refused.code !== "service_unavailable" && refused.code !== "invalid_json";
}

/**
 * The action of a route to which Shopify delivers webhooks: verified, taken in, and answered before anything comes of it. 401 for what
 * Shopify did not sign, 400 for what is not complete, 429 for addresses that send forgeries, 503 when it should be delivered again.
 * @param path the route's, for the log
 */
export function shopifyWebhookAction(path: string, topics: readonly Topic[]) {
  const action = async ({ request, context }: ActionFunctionArgs): Promise<Response> => {
    const { requestId, logged } = context.http;
    logged.route = path;
    const refuse = (failure: Failure): Response => {
      logged.code = failure.code;
      // What has not arrived by now must not go on arriving.
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
    if (!known) return refuse(new Failure("invalid_request", `${path} takes other topics than this.`));
    try {
      const event = { shop, topic: known, webhookId, payload, triggeredAt: toTime(triggeredAt) };
      if (await takeStoreEvent(event)) return new Response(null, { status: 200 });
      log.warn({ requestId, route: path, shop }, "a webhook from Shopify lacks what its topic is about");
      return refuse(new Failure("invalid_request", "The payload lacks what the topic is about."));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return refuse(new Failure("service_unavailable", "Deliver it again.", { retryAfter: RETRY_AFTER }));
    }
  };
  return Object.assign(action, { bodyLimit: DELIVERY_LIMIT });
}
