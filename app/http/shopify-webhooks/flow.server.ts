import type { ActionFunctionArgs } from "@remix-run/node";
import { lifecycleSchema, recordLifecycle } from "../../flow/index.server.ts";
import { secrets } from "../../platform/env.server.ts";
import { Failure } from "../../platform/failure.ts";
import { log } from "../../platform/log.server.ts";
import { isSignedBody } from "../../shopify-secrets.server.ts";
import { chargeRequest, checkExhausted } from "../rate-limits.server.ts";
import { failureResponse } from "../response.server.ts";
import { DELIVERY_LIMIT, forgeryCharge, readDelivery } from "./endpoint.server.ts";

/** Parses JSON. @returns undefined for another text */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

/**
 * Creates the action of the route that receives the lifecycle callbacks of Shopify Flow, which have no topic and no id. Responds with 401 to an unsigned
 * callback, and with 200 to every other one, because merchants can't turn on a workflow after another response.
 * @param path the route's path, for the log
 */
export function flowLifecycleAction(path: string) {
  const action = async ({ request, context }: ActionFunctionArgs): Promise<Response> => {
    const { requestId, logged } = context.http;
    logged.route = path;
    const refuse = (failure: Failure): Response => {
      logged.code = failure.code;
      return failureResponse(failure, { requestId, headers: { Connection: "close" } });
    };
    const closed = await checkExhausted(forgeryCharge(context.http));
    if (closed) return refuse(closed.refusal);
    const body = await readDelivery(request);
    if (body instanceof Failure) return refuse(body);
    const signature = request.headers.get("x-shopify-hmac-sha256") ?? "";
    const { shopifyApiSecrets } = secrets();
    if (!shopifyApiSecrets || !isSignedBody(body, signature, shopifyApiSecrets)) {
      await chargeRequest([forgeryCharge(context.http)]);
      return refuse(new Failure("invalid_signature", "Shopify has not signed this request."));
    }
    const callback = lifecycleSchema.safeParse(parse(body));
    if (callback.success) {
      logged.shop = callback.data.shopify_domain;
      await recordLifecycle(callback.data);
    } else {
      log.warn({ requestId, route: path }, "a lifecycle callback of Shopify Flow is incomplete");
    }
    return new Response(null, { status: 200 });
  };
  return Object.assign(action, { bodyLimit: DELIVERY_LIMIT });
}
