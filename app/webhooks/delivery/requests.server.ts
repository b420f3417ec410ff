import { createHash } from "node:crypto";
import { EVENT_DELETED, unreadable } from "./attempt.server.ts";
import { toBatchId, toMessageId } from "../ids.ts";
import { payload } from "../events/payload.server.ts";
import type { Due } from "./queue.server.ts";
import type { DeliveryResult } from "./send.server.ts";

// Forms requests of due deliveries: one delivery each, or batches for endpoints that have opted in.

/** Events in a batch. */
export const BATCH_EVENTS = 100;
/** Bytes of a batch's body: common frameworks refuse more than 100 KiB unless they are configured. An event that is larger is sent alone. */
const BATCH_BYTES = 100_000;
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
  deliveries: Due[];
  unsendable: Unsendable[];
  /** `webhook-id` */
  messageId: string;
  body: string;
  /** null for a request with one event in the form of endpoints without batches */
  batchId: string | null;
}

interface Message {
  delivery: Due;
  body: string;
}

function toMessage(delivery: Due): Message | Unsendable {
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
function batchIdOf(messages: readonly Message[]): string {
  const hash = createHash("sha256");
  for (const { delivery } of messages) hash.update(delivery.event_id);
  return hash.digest("hex").slice(0, 32);
}

function batchBody(messages: readonly Message[]): string {
  const events = messages.map(({ delivery, body }) => `{"id":"${toMessageId(delivery.event_id)}",${body.slice(1)}`);
  return `{"events":[${events.join(",")}]}`;
}

function toRequest(messages: readonly Message[], unsendable: Unsendable[]): OutgoingRequest {
  const deliveries = messages.map(({ delivery }) => delivery);
  const [first] = messages;
  if (!first) return { deliveries, unsendable, messageId: "", body: "", batchId: null };
  if (!first.delivery.batch)
    return { deliveries, unsendable, messageId: toMessageId(first.delivery.event_id), body: first.body, batchId: null };
  const batchId = batchIdOf(messages);
  return { deliveries, unsendable, messageId: toBatchId(batchId), body: batchBody(messages), batchId };
}

/** Takes the deliveries of the next request from the start of `waiting`, which must not be empty. A batch never waits for further events. */
export function takeRequest(waiting: Due[]): OutgoingRequest {
  const messages: Message[] = [];
  const unsendable: Unsendable[] = [];
  let bytes = ENVELOPE_BYTES.batch;
  let taken = 0;
  for (const delivery of waiting) {
    if (taken > 0 && !mayShare(delivery)) break;
    const message = toMessage(delivery);
    if ("result" in message) unsendable.push(message);
    else {
      bytes += Buffer.byteLength(message.body) + ENVELOPE_BYTES.event;
      if (messages.length > 0 && bytes > BATCH_BYTES) break;
      messages.push(message);
    }
    taken++;
    if (taken === BATCH_EVENTS || !mayShare(delivery)) break;
  }
  waiting.splice(0, taken);
  return toRequest(messages, unsendable);
}
