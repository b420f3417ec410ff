import { setTimeout as after } from "node:timers/promises";
import { Failure } from "../../platform/failure.ts";
import { readBytes, payloadTooLarge } from "../body.server.ts";
import { addressBucket } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import { chargeRequest, checkExhausted, type Charge } from "../rate-limits.server.ts";
import { failureResponse, optionsResponse } from "../response.server.ts";
import type { Resource } from "../surface.server.ts";

/** Seconds after which Shopify may deliver a refused webhook again. */
export const RETRY_AFTER = 5;

/** Maximum bytes of a webhook. A few hundred suffice, because `shopify.app.toml` subscribes to a product's id only. */
const DELIVERY_LIMIT = 64 * 1024;

/** Maximum bytes of all webhooks whose signature is not yet verified. Bounds the memory that unauthenticated requests can use. */
const IN_FLIGHT_LIMIT = 8 * 1024 * 1024;

/** Milliseconds within which a webhook's body must arrive. Shopify gives up after five seconds. */
const BODY_TIMEOUT = 5_000;

let inFlight = 0;

/** The limit for webhooks that Shopify did not sign, per address. */
function forgeryCharge(context: RequestContext): Charge {
  return { class: "forgeries", subject: addressBucket(context.clientAddress) };
}

/** Reads a webhook's body, whose sender is not yet authenticated. */
async function readDelivery(request: Request): Promise<Uint8Array<ArrayBuffer> | Failure> {
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

const ALLOW = "POST, OPTIONS";

/** The refusal of a request that Shopify has not signed. It counts against the address's limit for forgeries. */
export class Forgery {
  readonly refusal: Failure | Response;

  constructor(refusal: Failure | Response) {
    this.refusal = refusal;
  }
}

/**
 * Creates a resource that receives deliveries of Shopify. Responds with 405 to other methods than POST, 413 and 400 to bodies that are too large or
 * incomplete, 429 to addresses that send forgeries, and 503 when Shopify should deliver again.
 */
export function deliveryResource(
  path: string,
  receive: (
    request: Request,
    body: Uint8Array<ArrayBuffer>,
    context: RequestContext,
  ) => Promise<Response | Failure | Forgery>,
): Resource {
  async function receivePost(request: Request, context: RequestContext): Promise<Response | Failure> {
    const charge = forgeryCharge(context);
    const closed = await checkExhausted(charge);
    if (closed) return closed.refusal;
    const body = await readDelivery(request);
    if (body instanceof Failure) {
      if (body.code !== "service_unavailable") await chargeRequest([charge]);
      return body;
    }
    const received = await receive(request, body, context);
    if (!(received instanceof Forgery)) return received;
    await chargeRequest([charge]);
    return received.refusal;
  }

  return {
    path,
    bodyLimit: DELIVERY_LIMIT,
    async respond(request, context) {
      const { requestId, logged } = context;
      if (request.method === "OPTIONS") return optionsResponse(ALLOW, requestId, "same-origin");
      const outcome =
        request.method === "POST"
          ? await receivePost(request, context)
          : new Failure("method_not_allowed", `${path} supports ${ALLOW}.`);
      if (outcome instanceof Response) return outcome;
      logged.code = outcome.code;
      // Closes the connection, so that the rest of the body is not received.
      const headers = { Connection: "close", ...(outcome.code === "method_not_allowed" ? { Allow: ALLOW } : {}) };
      return failureResponse(outcome, { requestId, headers, withBody: request.method !== "HEAD" });
    },
  };
}
