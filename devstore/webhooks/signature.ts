import { createHmac } from "node:crypto";

/** `X-Shopify-Hmac-Sha256` of a webhook's raw body. */
export function webhookHmac(body: string, apiSecret: string): string {
  return createHmac("sha256", apiSecret).update(body, "utf8").digest("base64");
}
