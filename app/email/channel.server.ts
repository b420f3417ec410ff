import { LRUCache } from "lru-cache";
import type { AlertKind } from "../alerts/index.server.ts";
import { shopGate } from "../platform/database/shop-gate.server.ts";
import type { ChannelType, DeliveryResult, OutgoingMessage } from "../webhooks/index.server.ts";
import { readStoreMoney, type StoreMoney } from "../shops/index.server.ts";
import { mailAddress } from "./address.ts";
import { composeMessage, toEmailAlert, type EmailAlert } from "./render.server.ts";
import { readEmailSettings } from "./settings.server.ts";
import type { EmailSettings } from "./settings.ts";
import { admit, suppress } from "./admission.server.ts";
import { messageIdOf } from "./message-id.ts";
import { canSendMail, MAX_CONNECTIONS, sendMail, withoutAddress, type MailResult } from "./transport.server.ts";

type Outcome = Omit<DeliveryResult, "durationMs" | "retryAfterMs">;

/** Returns why a message is not sent, now or ever. It says nothing about the mail server. */
function withheld(error: string, { final = true } = {}): Outcome {
  return { status: null, error, response: null, ok: false, concerns: "message", final };
}

function outcomeOf({ status, response, error, refuses }: MailResult): Outcome {
  if (refuses === null) return { status, response, error, ok: true };
  if (refuses === "everything") return { status, response, error, ok: false };
  return { status, response, error, ok: false, concerns: "message", final: status !== null && status >= 500 };
}

const NO_CONSENT = withheld("the customer does not want these alerts any more");

/** The settings of shops that send now, which are read once a second and not for each message. `false` stands for none. */
const settingsOf = new LRUCache<number, (EmailSettings & { money: StoreMoney }) | false>({
  max: 1_000,
  ttl: 1_000,
  async fetchMethod(shopId) {
    const [settings, money] = await Promise.all([readEmailSettings(shopId), readStoreMoney(shopId)]);
    return settings ? { ...settings, money } : false;
  },
});

const NOT_ADMITTED = {
  not_wanted: NO_CONSENT,
  suppressed: withheld("the customer’s address has refused an email before"),
} as const;

/** Returns where a customer's message goes, or why it goes nowhere. */
function recipientOf({
  recipient,
}: OutgoingMessage["events"][number]["delivery"]): { name: string; address: string } | Outcome {
  if (!recipient) return withheld("Shopify did not return the customer’s address", { final: false });
  if (recipient.email === null) return withheld("the customer has no email address");
  const address = mailAddress(recipient.email);
  if (address === undefined) return withheld("the customer’s email address is not valid");
  return { name: recipient.name === recipient.email ? "" : recipient.name, address };
}

/** The largest integer of PostgreSQL. */
const NO_LIMIT = 2_147_483_647;

const kindsOf = ({ items }: EmailAlert): AlertKind[] => items.flatMap((item) => item.kinds);

async function deliver({ shopId, events, batchId }: OutgoingMessage): Promise<Outcome> {
  const [first] = events;
  if (!first || batchId === null || first.delivery.customer_id === null || first.delivery.at === null)
    return withheld("the event has no customer");
  const settings = await settingsOf.fetch(shopId);
  if (!settings || !canSendMail()) return { ...withheld("no mail server is set"), concerns: "endpoint", final: false };
  const recipient = recipientOf(first.delivery);
  if ("ok" in recipient) return recipient;

  const alerts = events.map(({ delivery, body }) => ({ deliveryId: delivery.id, alert: toEmailAlert(body) }));
  const mentioned = new Set(alerts.flatMap(({ alert }) => kindsOf(alert)));
  const kinds = await admit(shopId, {
    customerId: first.delivery.customer_id,
    address: recipient.address,
    kinds: settings.kinds.filter((kind) => mentioned.has(kind)),
    alertedAt: first.delivery.at,
    // What somebody has asked for is sent once, so that it needs no limit.
    limit: alerts.every(({ alert }) => alert.requested) ? NO_LIMIT : settings.weeklyLimit,
    batchId,
    deliveryIds: alerts.map(({ deliveryId }) => deliveryId),
  });
  if (kinds === "limit_reached") return withheld(`the customer has had ${settings.weeklyLimit} emails within a week`);
  if (typeof kinds === "string") return NOT_ADMITTED[kinds];

  const wanted = alerts.filter(({ alert }) => kindsOf(alert).some((kind) => kinds.includes(kind)));
  const ofDeliveries = new Map(
    alerts.filter((one) => !wanted.includes(one)).map(({ deliveryId }) => [deliveryId, { ...NO_CONSENT, ...NO_TIME }]),
  );
  const rendered = composeMessage(
    wanted.map(({ alert }) => alert),
    recipient.name === "" ? undefined : recipient.name,
    settings,
    kinds,
  );
  const sender = { name: settings.senderName, replyTo: settings.replyTo };
  const mail = { ...rendered, sender, recipient, messageId: messageIdOf("batch", batchId, shopId) };
  const result = withoutAddress(await connections(shopId, () => sendMail(mail)), recipient.address);
  if (result.refuses === "address" && result.error !== null)
    await suppress(shopId, first.delivery.customer_id, recipient.address, result.error);
  return { ...outcomeOf(result), ofDeliveries };
}

const NO_TIME = { durationMs: 0, retryAfterMs: undefined } as const;

/** Milliseconds that a message may wait for a connection before it counts as not sent. */
const WAIT = 10 * 60_000;
/**
 * Shares the work on messages between shops in turn. More messages than connections are in progress, so that one is checked while another is sent, but
 * few, so that a check stays recent; not all of them are of one shop. A shop's waiting messages are limited by its worker.
 */
const inProgress = shopGate({
  total: MAX_CONNECTIONS * 2,
  perShop: MAX_CONNECTIONS * 1.5,
  queue: Infinity,
  wait: WAIT,
});
/** Shares the connections. A shop with thousands of messages leaves some to the others, whose messages then do not wait for one of its own. */
const connections = shopGate({
  total: MAX_CONNECTIONS,
  perShop: MAX_CONNECTIONS * 0.75,
  queue: Infinity,
  wait: WAIT,
});

async function send(message: OutgoingMessage): Promise<DeliveryResult> {
  let started = performance.now();
  const outcome = await inProgress(message.shopId, () => {
    started = performance.now();
    return deliver(message);
  }).catch((problem: unknown): Outcome => {
    const error = problem instanceof Error ? problem.message : String(problem);
    return withheld(error, { final: false });
  });
  return { ...outcome, ...NO_TIME, durationMs: Math.round(performance.now() - started) };
}

/** Emails alerts to customers: those of a customer and moment in one message. */
export const emailChannel: ChannelType = {
  // The connections belong to the process: all shops have the same mail server.
  open: () => ({ send, close: async () => undefined }),
  needsRecipients: true,
  isByCustomer: true,
};
