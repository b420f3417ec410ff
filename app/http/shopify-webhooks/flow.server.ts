import { lifecycleSchema, recordLifecycle } from "../../flow/index.server.ts";
import { secrets } from "../../platform/process/env.server.ts";
import { Failure } from "../../platform/failure.ts";
import { log } from "../../platform/log/log.server.ts";
import { isSignedBody } from "../../shopify-secrets.server.ts";
import type { Resource } from "../surface.server.ts";
import { deliveryResource, Forgery } from "./deliveries.server.ts";

/** Parses JSON. @returns undefined for another text */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

/**
 * Creates the resource that receives the lifecycle callbacks of Shopify Flow, which have no topic and no id. Responds with 401 to an unsigned
 * callback, and with 200 to every other one, because merchants can't turn on a workflow after another response.
 */
export function flowLifecycle(path: string): Resource {
  return deliveryResource(path, async (request, body, { requestId, logged }) => {
    const signature = request.headers.get("x-shopify-hmac-sha256") ?? "";
    const { shopifyApiSecrets } = secrets();
    if (!shopifyApiSecrets || !isSignedBody(body, signature, shopifyApiSecrets)) {
      return new Forgery(new Failure("invalid_signature", "Shopify has not signed this request."));
    }
    const callback = lifecycleSchema.safeParse(parse(body));
    if (callback.success) {
      logged.shop = callback.data.shopify_domain;
      await recordLifecycle(callback.data);
    } else {
      log.warn({ requestId, route: path }, "a lifecycle callback of Shopify Flow is incomplete");
    }
    return new Response(null, { status: 200 });
  });
}
