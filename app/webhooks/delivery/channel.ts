import type { Due } from "./queue.server.ts";

export interface DeliveryResult {
  /** status of HTTP, or of SMTP (RFC 5321 §4.2) for a channel that speaks it; null when no response arrived */
  status: number | null;
  /** why no complete response arrived, or what is wrong with it */
  error: string | null;
  /** the first 2 KiB of the response's body as text; null when no response arrived */
  response: string | null;
  durationMs: number;
  /** the receiver's Retry-After in milliseconds */
  retryAfterMs: number | undefined;
  /** whether the receiver has accepted the message */
  ok: boolean;
  /** what a failure is about: `endpoint`, which is the default, starts a back-off; after one about a `message`, the others continue */
  concerns?: "endpoint" | "message";
  /** whether no later attempt can succeed */
  final?: boolean;
  /** of deliveries whose result differs from that of the message, by their ids */
  ofDeliveries?: ReadonlyMap<string, DeliveryResult>;
}

/** A delivery with the body of its event. */
export interface OutgoingEvent {
  delivery: Due;
  body: string;
}

/** A request to the receiver of a webhook. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What is sent at once: one event, or several. A webhook gets the request, a channel makes its own of the events. */
export interface OutgoingMessage extends WebhookRequest {
  shopId: number;
  /** the same in each attempt; null for one event that is sent alone */
  batchId: string | null;
  /** at least one */
  events: readonly OutgoingEvent[];
}

/** Connections of one endpoint. */
export interface Channel {
  /** Sends a message. Never rejects. The time limit includes connecting, because a message never waits for a free connection. */
  send: (message: OutgoingMessage) => Promise<DeliveryResult>;
  /** Ends the connections. Messages in flight end with an error. */
  close: () => Promise<void>;
}

/** How much a message with several events may hold. */
export interface BatchLimits {
  events: number;
  /** of the events' bodies */
  bytes: number;
}

/** A receiver that is no webhook of the merchant's. Its deliveries are those of the endpoint whose id is its name. */
export interface ChannelType {
  /** Opens the channel of a shop. */
  open: () => Channel;
  /** whether its messages need the customers of alerts, who are read from Shopify */
  needsRecipients: boolean;
  /** whether it needs the customers of other events as well */
  needsEveryCustomer?: boolean;
  /** what a message with several events may hold, by default as much as a webhook's */
  batchLimits?: BatchLimits;
  /** whether the alerts of a customer at a moment are one message; otherwise the endpoint's row says whether messages are batches */
  isByCustomer: boolean;
}
