import { LRUCache } from "lru-cache";
import { ALERT_KINDS, allowedKinds, type AlertKind } from "../alerts/index.server.ts";
import { shopGate } from "../platform/database/shop-gate.server.ts";
import type { ChannelType, DeliveryResult, OutgoingMessage } from "../webhooks/index.server.ts";
import { mailAddress } from "./address.ts";
import { renderMessage, toEmailAlert } from "./render.server.ts";
import { readEmailSettings } from "./settings.server.ts";
import type { EmailSettings } from "./settings.ts";
import { isSuppressed, reserve, suppress } from "./suppressions.server.ts";
import { canSendMail, MAX_CONNECTIONS, sendMail, type MailResult } from "./transport.server.ts";

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

interface Ready {
  customerId: string;
  address: string;
  name: string | undefined;
  settings: EmailSettings;
  kinds: readonly AlertKind[];
}

/** The settings of shops that send now, which are read once a second and not for each message. `false` stands for none. */
const settingsOf = new LRUCache<number, EmailSettings | false>({
  max: 1_000,
  ttl: 1_000,
  fetchMethod: async (shopId) => (await readEmailSettings(shopId)) ?? false,
});

/** Checks, at the last moment, whether and where a customer's message may be sent. */
async function prepare({ shopId, events }: OutgoingMessage): Promise<Ready | Outcome> {
  const delivery = events[0]?.delivery;
  const customerId = delivery?.customer_id;
  if (!delivery || typeof customerId !== "string") return withheld("the event has no customer");
  const settings = await settingsOf.fetch(shopId);
  if (!settings || !canSendMail()) return { ...withheld("no mail server is set"), concerns: "endpoint", final: false };
  const allowed = await allowedKinds(shopId, customerId);
  const kinds = ALERT_KINDS.filter((kind) => allowed.includes(kind) && settings.kinds.includes(kind));
  if (kinds.length === 0) return NO_CONSENT;
  const { recipient } = delivery;
  if (!recipient) return withheld("Shopify did not return the customer’s address", { final: false });
  if (recipient.email === null) return withheld("the customer has no email address");
  const address = mailAddress(recipient.email);
  if (address === undefined) return withheld("the customer’s email address is not valid");
  if (await isSuppressed(shopId, customerId, address))
    return withheld("the customer’s address has refused an email before");
  return {
    customerId,
    address,
    name: recipient.name === recipient.email ? undefined : recipient.name,
    settings,
    kinds,
  };
}

async function deliver(message: OutgoingMessage): Promise<Outcome> {
  const ready = await prepare(message);
  if ("ok" in ready) return ready;
  const { customerId, address, name, settings, kinds } = ready;
  const alerts = message.events.map(({ delivery, body }) => ({ deliveryId: delivery.id, alert: toEmailAlert(body) }));
  const wanted = alerts.filter(({ alert }) =>
    alert.items.some((item) => item.kinds.some((kind) => kinds.includes(kind))),
  );
  const ofDeliveries = new Map(
    alerts.filter((one) => !wanted.includes(one)).map(({ deliveryId }) => [deliveryId, { ...NO_CONSENT, ...NO_TIME }]),
  );
  if (wanted.length === 0) return NO_CONSENT;
  const at = message.events[0]?.delivery.at;
  if (at && !(await reserve(message.shopId, customerId, at, settings.weeklyLimit)))
    return withheld(`the customer has had ${settings.weeklyLimit} emails within a week`);
  const rendered = renderMessage(
    wanted.map(({ alert }) => alert),
    name,
    settings,
    kinds,
  );
  const result = await sendMail({
    ...rendered,
    sender: { name: settings.senderName, replyTo: settings.replyTo },
    recipient: { name: name ?? "", address },
    messageId: message.messageId,
  });
  if (result.refuses === "address" && result.error !== null)
    await suppress(message.shopId, customerId, address, result.error);
  return { ...outcomeOf(result), ofDeliveries };
}

const NO_TIME = { durationMs: 0, retryAfterMs: undefined } as const;

/** Milliseconds that a message may wait for a connection before it counts as not sent. */
const WAIT = 10 * 60_000;
/**
 * Shares the connections between shops in turn. More messages than connections are in progress, so that one is checked while another is sent, but
 * few, so that a check stays recent and no shop waits long behind another; not all of them are of one shop. A shop's waiting messages are limited
 * by its worker.
 */
const connections = shopGate({
  total: MAX_CONNECTIONS * 2,
  perShop: MAX_CONNECTIONS * 1.5,
  queue: Infinity,
  wait: WAIT,
});

async function send(message: OutgoingMessage): Promise<DeliveryResult> {
  let started = performance.now();
  const outcome = await connections(message.shopId, () => {
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
