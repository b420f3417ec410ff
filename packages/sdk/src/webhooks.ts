import type { components } from "./openapi.ts";

type Schemas = components["schemas"];

/** Every event that the service sends; `event` tells them apart. Later releases may send further ones: ignore those that you do not know. */
export type WebhookEvent = Schemas[Extract<keyof Schemas, `${string}Event`>];

/** An event of a batch, with its own id: the `webhook-id` that it would have in a request of its own. */
export type WebhookBatchEvent = WebhookEvent & { id: string };

/** Headers of a `Request`, or of Node's `IncomingMessage`. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface WebhookRequest {
  /** the body exactly as it was received, not parsed and serialized again */
  body: string | Uint8Array;
  headers: WebhookHeaders;
}

export interface VerifyOptions {
  /** `whsec_…`; while you rotate it, the old and the new one */
  secret: string | readonly string[];
  /** seconds by which the request's time may differ from this machine's; 300 by default */
  tolerance?: number | undefined;
}

/** The service sends one signature for each secret that is valid, two at most. */
const MAX_SIGNATURES = 10;

/** Why a request is not a delivery of the service. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: "missing_header" | "expired" | "invalid_signature" | "invalid_body";

  constructor(code: WebhookVerificationError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Verifies a delivery (Standard Webhooks) and returns its event. An event can be delivered more than once: remember its `id` for a day.
 *
 * @example
 * const { id, event } = await verifyWebhook({ body: await request.text(), headers: request.headers }, { secret });
 * if (event.event === "wishlist.item.added") console.log(id, event.data.productId);
 *
 * @throws WebhookVerificationError for another sender's, an altered or a replayed request; TypeError for a secret that is none
 */
export async function verifyWebhook(
  request: WebhookRequest,
  options: VerifyOptions,
): Promise<{ id: string; timestamp: Date; event: WebhookEvent }> {
  const { content, ...rest } = await verify(request, options);
  if (isBatch(content))
    throw new WebhookVerificationError("invalid_body", "The body is a batch: use verifyWebhookBatch.");
  return { ...rest, event: content };
}

/**
 * Verifies a request of a webhook with `batch: true` and returns its events. It also accepts a request with one event, so a receiver can use
 * it before the webhook sends batches. An event can be delivered more than once, also in another batch: remember each event's `id` for a day.
 *
 * @example
 * const { events } = await verifyWebhookBatch({ body: await request.text(), headers: request.headers }, { secret });
 * for (const event of events) console.log(event.id, event.event);
 *
 * @throws the same as verifyWebhook
 */
export async function verifyWebhookBatch(
  request: WebhookRequest,
  options: VerifyOptions,
): Promise<{ id: string; timestamp: Date; events: WebhookBatchEvent[] }> {
  const { content, ...rest } = await verify(request, options);
  return { ...rest, events: isBatch(content) ? content.events : [{ id: rest.id, ...content }] };
}

interface Batch {
  events: WebhookBatchEvent[];
}

function isBatch(content: WebhookEvent | Batch): content is Batch {
  return "events" in content;
}

async function verify(
  { body, headers }: WebhookRequest,
  { secret, tolerance = 300 }: VerifyOptions,
): Promise<{ id: string; timestamp: Date; content: WebhookEvent | Batch }> {
  const [id, seconds, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    // Some platforms keep the case in which headers were sent.
    const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
    const [, value] = entries.find(([key]) => key.toLowerCase() === name) ?? [];
    if (typeof value === "string" && value !== "") return value;
    throw new WebhookVerificationError("missing_header", `The request has no ${name} header.`);
  }) as [string, string, string];
  const encoder = new TextEncoder();
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const start = encoder.encode(`${id}.${seconds}.`);
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  const given = signatures.split(" ", MAX_SIGNATURES).filter((signature) => signature.startsWith("v1,"));
  const keys = await Promise.all([secret].flat().map(importSecret));
  const results = await Promise.all(
    keys.flatMap((key) =>
      given.map(async (signature) => {
        const decoded = decodeBase64(signature.slice(3));
        return decoded !== undefined && crypto.subtle.verify("HMAC", key, decoded, signed);
      }),
    ),
  );
  if (!results.includes(true)) {
    throw new WebhookVerificationError(
      "invalid_signature",
      "No signature fits the body. Verify the body as it was received, with the webhook's current secret.",
    );
  }
  // After the signature, so that a message about the time is about the service's.
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) <= tolerance)) {
    throw new WebhookVerificationError(
      "expired",
      "The request is too old or from the future. Check this machine's clock.",
    );
  }
  try {
    const content = JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent | Batch;
    return { id, timestamp: new Date(Number(seconds) * 1000), content };
  } catch {
    throw new WebhookVerificationError("invalid_body", "The body is not JSON.");
  }
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0) throw new TypeError("`secret` must be a webhook's secret (whsec_…).");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** @returns undefined for a text that is not Base64 */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
