import { z } from "zod";
import { env } from "../../platform/process/env.server.ts";
import { integerParameter } from "../../platform/text/integer-parameter.ts";
import { forbiddenHost } from "../delivery/addresses.ts";
import { fromDeliveryId } from "../ids.ts";
import { DELIVERY_KINDS, DELIVERY_STATUSES } from "../delivery/kinds.ts";
import { EVENTS } from "../events/events.ts";

export const eventSchema = z.enum(EVENTS, `is not an event; known: ${EVENTS.join(", ")}`);

const URL_MAX = 2_048;
const TOO_LONG = `must have at most ${URL_MAX} characters`;
const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Checks whether webhooks can be sent to a URL. @returns its normal form, or the problem */
function checkReceiver(given: string): { href: string } | { problem: string } {
  const { webhooksAllowLoopback } = env();
  // `URL` repairs missing slashes and line breaks, which other parsers read differently; so they are refused first.
  if (!/^https:\/\//i.test(given) && !(webhooksAllowLoopback && /^http:\/\//i.test(given)))
    return { problem: "must begin with https://" };
  if (/[\s\p{Cc}]/u.test(given)) return { problem: "must not contain white space or control characters" };
  const url = URL.parse(given);
  if (!url) return { problem: "is not a valid URL" };
  const { href, hostname, username, password } = url;
  if (username !== "" || password !== "") return { problem: "must not contain a user name or a password" };
  // `url.hash` is empty for an empty fragment, so the whole URL is searched.
  if (href.includes("#")) return { problem: "must not contain a fragment (`#`)" };
  if (href.length > URL_MAX) return { problem: `${TOO_LONG} once it is percent-encoded` };
  const forbidden = webhooksAllowLoopback && LOOPBACK_HOSTS.has(hostname) ? undefined : forbiddenHost(hostname);
  return forbidden === undefined ? { href } : { problem: `must lead to a public host: ${forbidden}` };
}

export const urlSchema = z
  .string()
  .max(URL_MAX, TOO_LONG)
  // A check instead of a transform, for the reason given in app/wishlists/identifiers.ts.
  .check((context) => {
    if (context.issues.length > 0) return;
    const result = checkReceiver(context.value);
    if ("href" in result) context.value = result.href;
    else context.issues.push({ code: "custom", message: result.problem, input: context.value });
  })
  .meta({
    description: "The receiver: an `https:` URL that is reachable from the internet",
    format: "uri",
    example: "https://hooks.larkfell-outdoor.example/wishlist",
  });

export const eventsSchema = z
  .array(eventSchema)
  .min(1, "must name at least one event")
  .refine((events) => new Set(events).size === events.length, "names an event more than once")
  .meta({ description: "The events to send", uniqueItems: true, example: ["wishlist.item.added", "wishlist.shared"] });

const batchSchema = z.boolean().meta({
  description:
    'Whether a request carries up to 100 events: `{"events":[{"id":…,"event":…}]}`, with each event\'s own id, under one signature',
  example: false,
});

const NAME_MAX = 100;

const nameSchema = z
  .string()
  .max(NAME_MAX, `must have at most ${NAME_MAX} characters`)
  .regex(/^(?=.*\S)\P{Cc}*$/u, "must be text in one line, or null for no name");

const NAME_META = {
  description: "What you call the webhook, for pages and lists; null for one that is known by its address",
  example: "Newsletter tool",
  "x-additive": true,
};

export const webhookNameSchema = nameSchema.nullable();

export const createWebhookBody = z
  .strictObject({
    url: urlSchema,
    events: eventsSchema,
    batch: batchSchema.optional(),
    name: webhookNameSchema.optional().meta(NAME_META),
  })
  .meta({ id: "CreateWebhook" });

const enabledSchema = z
  .boolean()
  .meta({ description: "Whether events are sent. Events that happen while it is false are not sent later" });

export const updateWebhookBody = z
  .strictObject({
    url: urlSchema.optional(),
    events: eventsSchema.optional(),
    batch: batchSchema.optional(),
    name: webhookNameSchema.optional().meta(NAME_META),
    enabled: enabledSchema.optional().meta({
      description: "false pauses the webhook; true enables it again, whatever had disabled it",
      example: true,
    }),
  })
  .refine((change) => Object.keys(change).length > 0, {
    error: "must have at least one of: url, events, batch, name, enabled",
    // The error of an unknown field is enough.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ id: "UpdateWebhook", minProperties: 1 });

/** Accepts any text: a malformed id gets the same response as an unknown one. */
export const webhookIdSchema = z.string().meta({ example: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ" });
export const deliveryIdSchema = z.string().meta({ example: "dlv_0641c9f0a2b3d47e8c15a9b0d2e4f681" });

const momentSchema = z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-20T09:30:00.000Z" });

export const disabledReasonSchema = z.enum(["paused", "gone", "failing"]);

export const webhookSchema = z
  .strictObject({
    webhookId: webhookIdSchema,
    url: z.string().meta({ example: "https://hooks.larkfell-outdoor.example/wishlist" }),
    events: z.array(eventSchema).meta({ example: ["wishlist.item.added", "wishlist.shared"] }),
    batch: batchSchema.meta({ "x-additive": true }),
    name: z.string().nullable().meta(NAME_META),
    createdAt: momentSchema,
    enabled: enabledSchema.meta({ example: true, "x-additive": true }),
    disabledReason: disabledReasonSchema.nullable().meta({
      description:
        "Why the webhook is disabled: `paused` by a PATCH; `gone`: the receiver responded with 410; `failing`: every delivery failed for 5 days",
      example: null,
      "x-additive": true,
    }),
    disabledAt: momentSchema.nullable().meta({
      description: "Time at which the webhook was disabled",
      example: null,
      "x-additive": true,
    }),
    failingSince: momentSchema
      .nullable()
      .meta({ description: "Time of the first failure since the last success", example: null, "x-additive": true }),
  })
  .meta({ id: "Webhook", description: "A subscription to events" });

const secretSchema = z.string().meta({
  description: "The secret that signs deliveries (Standard Webhooks). Shown only here",
  example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDuTFNTTNbmSs=",
  "x-additive": true,
});

export const createdWebhookSchema = webhookSchema.extend({ secret: secretSchema }).meta({ id: "WebhookCreated" });

export const webhooksSchema = z
  .strictObject({ webhooks: z.array(webhookSchema).meta({ description: "Oldest first, without secrets" }) })
  .meta({ id: "WebhookList" });

export const deletedWebhookSchema = z.strictObject({ deleted: z.literal(true) }).meta({ id: "WebhookDeleted" });

export const rotatedSecretSchema = z
  .strictObject({
    webhookId: webhookIdSchema,
    secret: secretSchema,
    previousSecretValidUntil: momentSchema.meta({
      description: "Until then, deliveries are signed with the previous secret as well",
    }),
  })
  .meta({ id: "WebhookSecretRotated" });

const deliveryStatusSchema = z.enum(DELIVERY_STATUSES, "must be pending, succeeded or failed");

/** The largest offset. PostgreSQL reads all skipped deliveries; paging with `before` has no limit. */
const OFFSET_MAX = 1_000;

export const deliveriesQuery = z
  .strictObject({
    limit: integerParameter({ min: 1, max: 100, fallback: 20, description: "Deliveries in the page", example: 20 }),
    before: z
      .string()
      .refine((id) => fromDeliveryId(id) !== undefined, "must be the `deliveryId` of a delivery")
      .optional()
      .meta({
        description:
          "Return only deliveries older than this one: the `deliveryId` of the previous page's last delivery",
        example: "dlv_0641c9f0a2b3d47e8c15a9b0d2e4f681",
      }),
    offset: integerParameter({
      min: 0,
      max: OFFSET_MAX,
      fallback: 0,
      description: "Deliveries to skip. To page through all of them, use `before`",
      example: 0,
      advice: "use `before` to read older deliveries",
    }),
    status: deliveryStatusSchema.optional().meta({ description: "Only deliveries with this status" }),
  })
  .refine(({ before, offset }) => before === undefined || offset === 0, {
    path: ["offset"],
    error: "can't be combined with `before`",
  });

const attemptSchema = z
  .strictObject({
    number: z.int().meta({ description: "From 1", example: 1 }),
    at: momentSchema,
    durationMs: z.int().meta({ example: 184 }),
    status: z.int().nullable().meta({ description: "HTTP status of the response, or null", example: 503 }),
    error: z.string().nullable().meta({ description: "Why there was no complete response, or null", example: null }),
    response: z
      .string()
      .nullable()
      .meta({ description: "The first 2 KiB of the response", example: "upstream is restarting" }),
  })
  .meta({ id: "WebhookAttempt" });

export const deliverySchema = z
  .strictObject({
    deliveryId: deliveryIdSchema,
    messageId: z.string().meta({
      description: "The receiver's `webhook-id`: the same for all deliveries and attempts of an event",
      example: "msg_0641c9f0a2a10c3b7d52e86f4190ab37",
    }),
    event: eventSchema,
    kind: z.enum(DELIVERY_KINDS),
    status: deliveryStatusSchema,
    createdAt: momentSchema,
    nextAttemptAt: momentSchema
      .nullable()
      .meta({ description: "null unless the delivery is pending", example: "2026-11-20T09:30:05.184Z" }),
    attempts: z.array(attemptSchema).meta({ description: "Oldest first" }),
  })
  .meta({ id: "WebhookDelivery", description: "An event for one webhook, with its delivery attempts" });

export const deliveriesSchema = z
  .strictObject({
    deliveries: z.array(deliverySchema).meta({ description: "The requested page, newest first" }),
    count: z.int().meta({ description: "Deliveries in this response", example: 1 }),
    has_more: z.boolean().meta({ description: "Whether more deliveries follow", example: false }),
  })
  .meta({ id: "WebhookDeliveryPage" });
