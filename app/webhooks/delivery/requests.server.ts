import { createHash } from "node:crypto";
import { toBatchId, toMessageId } from "../ids.ts";
import { payload } from "../events/payload.server.ts";
import { EVENT_DELETED, unreadable } from "./attempt.server.ts";
import type { Due } from "./queue.server.ts";
import type { BatchLimits, DeliveryResult, OutgoingEvent } from "./channel.ts";

// Forms requests of due deliveries: one delivery each, batches for endpoints that have opted in, or what concerns a customer at a moment.

/**
 * What a batch for a webhook holds: common frameworks refuse bodies of more than 100 KiB unless they are configured. An event that is larger is
 * sent alone.
 */
export const WEBHOOK_BATCH: BatchLimits = { events: 100, bytes: 100_000 };
/** Bytes of a batch's body beside its events, and beside each event's own body. */
const ENVELOPE_BYTES = { batch: '{"events":[]}'.length, event: `"id":"${toMessageId("0".repeat(32))}",,`.length };

/** A delivery that can't be sent. */
interface Unsendable {
  delivery: Due;
  result: DeliveryResult;
  /** whether no later attempt can succeed */
  final: boolean;
}

/** Deliveries that are sent in one request. */
export interface OutgoingRequest {
  /** at least one, unless none of the deliveries that were taken can be sent */
  events: readonly OutgoingEvent[];
  unsendable: Unsendable[];
  /** `webhook-id` */
  messageId: string;
  body: string;
  /** null for a request with one event in the form of endpoints without batches */
  batchId: string | null;
}

function toEvent(delivery: Due): OutgoingEvent | Unsendable {
  try {
    const body = payload(delivery);
    return body === undefined ? { delivery, result: EVENT_DELETED, final: true } : { delivery, body };
  } catch (problem) {
    return { delivery, result: unreadable(problem), final: false };
  }
}

/**
 * Returns whether a delivery may share a request. A retry may not: an event that the receiver refuses would fail the others until they have no
 * attempts left. Staff wait for the result of a test.
 */
function mayShare({ attempts, batch, kind }: Due): boolean {
  return batch && attempts === 0 && kind !== "test";
}

/** Derives the id from the events, so that the same events in the same order have the same `webhook-id`. */
function batchIdOf(events: readonly OutgoingEvent[]): string {
  const hash = createHash("sha256");
  for (const { delivery } of events) hash.update(delivery.event_id);
  return hash.digest("hex").slice(0, 32);
}

function batchBody(events: readonly OutgoingEvent[]): string {
  const bodies = events.map(({ delivery, body }) => `{"id":"${toMessageId(delivery.event_id)}",${body.slice(1)}`);
  return `{"events":[${bodies.join(",")}]}`;
}

function toRequest(events: readonly OutgoingEvent[], unsendable: Unsendable[]): OutgoingRequest {
  const [first] = events;
  if (!first) return { events, unsendable, messageId: "", body: "", batchId: null };
  if (!first.delivery.batch)
    return { events, unsendable, messageId: toMessageId(first.delivery.event_id), body: first.body, batchId: null };
  const batchId = batchIdOf(events);
  return { events, unsendable, messageId: toBatchId(batchId), body: batchBody(events), batchId };
}

/** Takes the deliveries of the next request from the start of `waiting`, which must not be empty. A batch never waits for further events. */
export function takeRequest(waiting: Due[], limits = WEBHOOK_BATCH): OutgoingRequest {
  const events: OutgoingEvent[] = [];
  const unsendable: Unsendable[] = [];
  let bytes = ENVELOPE_BYTES.batch;
  let taken = 0;
  for (const delivery of waiting) {
    if (taken > 0 && !mayShare(delivery)) break;
    const event = toEvent(delivery);
    if ("result" in event) unsendable.push(event);
    else {
      bytes += Buffer.byteLength(event.body) + ENVELOPE_BYTES.event;
      if (events.length > 0 && bytes > limits.bytes) break;
      events.push(event);
    }
    taken++;
    if (taken === limits.events || !mayShare(delivery)) break;
  }
  waiting.splice(0, taken);
  return toRequest(events, unsendable);
}

/** Returns whether two deliveries belong into one message: the alerts that a customer gets at a moment. */
function isSameMessage(one: Due, other: Due): boolean {
  return (
    one.id === other.id ||
    (one.kind !== "test" &&
      one.kind === other.kind &&
      one.customer_id !== null &&
      one.customer_id === other.customer_id &&
      one.at?.getTime() === other.at?.getTime())
  );
}

/** Takes the deliveries of the first customer and moment in `waiting`, which must not be empty. A retry has the same deliveries and the same id. */
export function takeCustomersMessage(waiting: Due[]): OutgoingRequest {
  const [first] = waiting;
  const taken = waiting.filter((one) => first && isSameMessage(first, one));
  waiting.splice(0, waiting.length, ...waiting.filter((one) => !taken.includes(one)));
  const events: OutgoingEvent[] = [];
  const unsendable: Unsendable[] = [];
  for (const delivery of taken) {
    const event = toEvent(delivery);
    if ("result" in event) unsendable.push(event);
    else events.push(event);
  }
  // A redelivery is another message: mail programs show one of those with the same id.
  const identity =
    first?.kind === "event" ? [first.shop, first.customer_id, first.at?.toISOString()].join(" ") : first?.id;
  const batchId = createHash("sha256")
    .update(identity ?? "")
    .digest("hex")
    .slice(0, 32);
  return { events, unsendable, messageId: toBatchId(batchId), body: "", batchId };
}

/**
 * Leaves out the deliveries of the last customer and moment when a query may have returned only a part of them.
 * @param isPart whether the query returned as many deliveries as it might
 */
export function wholeMessages(due: Due[], isPart: boolean): Due[] {
  const last = due.at(-1);
  if (!isPart || !last) return due;
  const whole = due.filter((one) => !isSameMessage(last, one));
  return whole.length > 0 ? whole : due;
}

/** Returns the deliveries of the first customers, all that there are of each. @param count number of customers */
export function ofFirstCustomers(due: Due[], count: number): Due[] {
  const customers = new Set<string | null>();
  for (const { customer_id: customer } of due) if (customers.size < count) customers.add(customer);
  return due.filter(({ customer_id: customer }) => customers.has(customer));
}
