import { Webhook } from "standardwebhooks";
import { doubledEvents } from "../support/webhooks/doubled-events.ts";
import type { Received } from "../support/webhooks/receiver.ts";
import type { Account } from "./load.ts";

/** What is wrong, by kind. An update is sound when every list is empty. */
export type Findings = Record<string, readonly string[]>;

/** Compares the stored items of customers, as `customer product`, with those that were acknowledged. */
export function compareItems(stored: ReadonlySet<string>, account: Account): Findings {
  return {
    "acknowledged items lost": [...account.stored].filter((item) => !stored.has(item)),
    "items stored without an acknowledgement": [...stored].filter((item) => !account.stored.has(item)),
  };
}

function hasSignature(webhook: Webhook, { id, text, timestamp, signature }: Received): boolean {
  return signature.split(" ").includes(webhook.sign(id, new Date(timestamp * 1_000), text));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Compares what arrived at the receiver of added items with what was acknowledged. */
export function compareEvents(received: readonly Received[], account: Account, secret: string): Findings {
  const webhook = new Webhook(secret);
  const arrivals = received
    .filter(({ body }) => body.event === "wishlist.item.added")
    .map((one) => {
      const { event, data } = one.body;
      return { ...one, change: `${event} ${textOf(data["customerId"])} ${textOf(data["productId"])}` };
    });
  const arrived = new Set(arrivals.map(({ change }) => change));
  const expected = new Set(account.events);
  return {
    "events missing": account.events.filter((event) => !arrived.has(event)),
    "events without an acknowledged change": [...arrived].filter((event) => !expected.has(event)),
    "changes with several events": doubledEvents(arrivals),
    "events wrongly signed": arrivals.filter((one) => !hasSignature(webhook, one)).map(({ change }) => change),
  };
}
