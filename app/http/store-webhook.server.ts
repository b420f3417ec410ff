import type { ActionFunctionArgs } from "@remix-run/node";
import { isUnavailable } from "../platform/database-errors.server.ts";
import { Failure } from "../platform/failure.ts";
import { log } from "../platform/log.server.ts";
import { authenticate } from "../shopify.server.ts";
import { takeStoreEvent, type Topic } from "../shops/index.server.ts";
import { failureResponse } from "./answer.server.ts";
import { bodyLimit, readBytes, tooLarge } from "./body.server.ts";

/** Seconds after which a delivery that could not be taken in makes sense again. */
const RETRY_AFTER = 5;

/** `X-Shopify-Triggered-At`, when it is a time. */
function toTime(text: string | undefined): Date | undefined {
  const time = new Date(text ?? "");
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * The action of a route to which Shopify delivers webhooks: verified, taken in, and answered before anything comes of it. 401 for what
 * Shopify did not sign, 400 for what is not complete, 503 when it should be delivered again.
 * @param path the route's, for the log
 */
export function storeWebhook(path: string, topics: readonly Topic[]) {
  return async ({ request, context }: ActionFunctionArgs): Promise<Response> => {
    const { requestId, logged } = context.http;
    logged.route = path;
    const refuse = (failure: Failure): Response => {
      logged.code = failure.code;
      return failureResponse(failure, { requestId });
    };

    const limit = bodyLimit(path);
    const body = await readBytes(request, limit).catch(() => null);
    if (body === null) return refuse(new Failure("invalid_request", "The request body did not arrive whole."));
    if (body === undefined) return refuse(tooLarge(limit));
    try {
      const { shop, topic, webhookId, payload, triggeredAt } = await authenticate.webhook(
        new Request(request.url, { method: request.method, headers: request.headers, body: Buffer.from(body) }),
      );
      logged.shop = shop;
      const known = topics.find((name) => name === topic);
      if (!known) return refuse(new Failure("invalid_request", `${path} takes other topics than this.`));
      const event = { shop, topic: known, webhookId, payload, triggeredAt: toTime(triggeredAt) };
      if (await takeStoreEvent(event)) return new Response(null, { status: 200 });
      log.warn({ requestId, route: path, shop }, "a webhook from Shopify lacks what its topic is about");
      return refuse(new Failure("invalid_request", "The payload lacks what the topic is about."));
    } catch (error) {
      if (error instanceof Response) return error;
      if (error instanceof SyntaxError) return refuse(new Failure("invalid_json", "The payload is not valid JSON."));
      if (!isUnavailable(error)) throw error;
      return refuse(new Failure("service_unavailable", "Deliver it again.", { retryAfter: RETRY_AFTER }));
    }
  };
}
