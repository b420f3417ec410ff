import { setTimeout as wait } from "node:timers/promises";
import type { ChannelType, DeliveryResult, OutgoingMessage } from "../webhooks/index.server.ts";
import { callKlaviyo, type KlaviyoResponse } from "./api.server.ts";
import { readKlaviyoKey, refuseKlaviyoKey, type KlaviyoKey } from "./connection.server.ts";
import { bulkBody, singleBody, toKlaviyo, type KlaviyoEntry } from "./events.ts";
import { createThrottle, type RequestThrottle } from "./rate.server.ts";

type Outcome = Omit<DeliveryResult, "durationMs">;

/** Klaviyo takes 1,000 events and 5 MB in a request; the frame of each event is about as long as a short event. */
const BATCH_LIMITS = { events: 1_000, bytes: 2_500_000 };
/** Below what Klaviyo publishes (10 and 150, 350 and 3,500), because requests do not take the same time. */
const BULK_RATE = { perSecond: 8, perMinute: 140 };
const SINGLE_RATE = { perSecond: 300, perMinute: 3_300 };
/** Milliseconds for which a request waits for its turn. After that, the channel backs off. */
const LONGEST_WAIT = 1_000;
/** Characters that are recorded of a response. */
const RECORDED = 2_048;

/** Shops whose rates a process remembers: only those that send now need one. */
const REMEMBERED_SHOPS = 1_000;

interface Throttles {
  bulk: RequestThrottle;
  single: RequestThrottle;
}

/** By shop, because a channel is closed and opened again while a minute lasts; the shops that sent last are at the end. */
const throttlesByShop = new Map<number, Throttles>();

function throttlesOf(shopId: number): Throttles {
  const throttles = throttlesByShop.get(shopId) ?? {
    bulk: createThrottle(BULK_RATE),
    single: createThrottle(SINGLE_RATE),
  };
  throttlesByShop.delete(shopId);
  throttlesByShop.set(shopId, throttles);
  const [oldest] = throttlesByShop.keys();
  if (throttlesByShop.size > REMEMBERED_SHOPS && oldest !== undefined) throttlesByShop.delete(oldest);
  return throttles;
}

function withheld(error: string): Outcome {
  const nothing = { status: null, response: null, retryAfterMs: undefined };
  return { ...nothing, error, ok: false, concerns: "message", final: true };
}

const NO_CUSTOMER = withheld("the event has no customer");

/** @returns the result of a request that was not sent, or undefined when it may be */
async function waitForTurn(throttle: RequestThrottle): Promise<Outcome | undefined> {
  for (;;) {
    const ms = throttle.take();
    if (ms === 0) return undefined;
    if (ms > LONGEST_WAIT) {
      const error = "Klaviyo takes no more requests in this minute";
      return { status: null, error, response: null, ok: false, retryAfterMs: ms };
    }
    await wait(ms);
  }
}

async function outcomeOf(
  shopId: number,
  { sealed }: KlaviyoKey,
  { status, error, text, retryAfterMs }: KlaviyoResponse,
  isBulk: boolean,
): Promise<Outcome> {
  const response = text?.slice(0, RECORDED) ?? null;
  if (error === null) return { status, error, response, ok: true, retryAfterMs };
  if (status === 401 || status === 403) await refuseKlaviyoKey(shopId, sealed, error);
  // Klaviyo refuses a request as a whole: each event of it is tried alone.
  if (status === 400 || status === 413 || status === 422)
    return { status, error, response, ok: false, retryAfterMs, concerns: "message", final: !isBulk };
  // 410 would say that the address is gone, which Klaviyo never means.
  return { status: status === 410 ? null : status, error, response, ok: false, retryAfterMs };
}

async function deliver({ shopId, events }: OutgoingMessage): Promise<Outcome> {
  const key = await readKlaviyoKey(shopId);
  if (!key) return withheld("Klaviyo is not connected");
  /** by event, because a redelivery has the unique id of the event that it repeats */
  const entries = new Map<string, KlaviyoEntry>();
  const ofDeliveries = new Map<string, DeliveryResult>();
  for (const { delivery, body } of events) {
    const { id, event_id: uniqueId, recipient, kind } = delivery;
    const entry = toKlaviyo(body, { uniqueId, email: recipient?.email, isTest: kind === "test" });
    if (entry) entries.set(uniqueId, entry);
    else ofDeliveries.set(id, { ...NO_CUSTOMER, durationMs: 0 });
  }
  const [first, ...others] = entries.values();
  if (!first) return NO_CUSTOMER;
  const isBulk = others.length > 0;
  const throttles = throttlesOf(shopId);
  const delayed = await waitForTurn(isBulk ? throttles.bulk : throttles.single);
  if (delayed) return { ...delayed, ofDeliveries };
  const response = isBulk
    ? await callKlaviyo(key.key, "/api/event-bulk-create-jobs", bulkBody([first, ...others]))
    : await callKlaviyo(key.key, "/api/events", singleBody(first));
  return { ...(await outcomeOf(shopId, key, response, isBulk)), ofDeliveries };
}

async function send(message: OutgoingMessage): Promise<DeliveryResult> {
  const started = performance.now();
  const outcome = await deliver(message).catch((problem: unknown): Outcome => {
    const error = problem instanceof Error ? problem.message : String(problem);
    return { ...withheld(error), final: false };
  });
  return { ...outcome, durationMs: Math.round(performance.now() - started) };
}

/** Sends events of customers to the shop's Klaviyo account. */
export const klaviyoChannel: ChannelType = {
  open: () => ({ send, close: async () => undefined }),
  needsRecipients: true,
  needsEveryCustomer: true,
  isByCustomer: false,
  batchLimits: BATCH_LIMITS,
};
