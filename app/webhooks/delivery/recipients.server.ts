import { log } from "../../platform/log/log.server.ts";
import { isAlert, type Recipient } from "../events/alert-payload.ts";
import type { Due } from "./queue.server.ts";

/** Reads customers of a shop from Shopify by their ids: those that the app may read and Shopify returns in time. */
export type ReadRecipients = (shop: string, customerIds: readonly string[]) => Promise<ReadonlyMap<string, Recipient>>;

/** Adds the customers to alerts. They are read for each delivery and not stored. Without a customer an alert is sent all the same. @param isForAll whether other events get them as well */
export async function withRecipients(due: Due[], read: ReadRecipients, isForAll = false): Promise<Due[]> {
  const alerts = due.filter(({ event, kind }) => (isForAll || isAlert(event)) && kind !== "test");
  const [first] = alerts;
  if (!first) return due;
  const ids = new Set(alerts.flatMap(({ customer_id }) => customer_id ?? []));
  try {
    const recipients = await read(first.shop, [...ids]);
    return due.map((one) => ({ ...one, recipient: recipients.get(one.customer_id ?? "") }));
  } catch (error) {
    log.warn({ err: error, shop: first.shop }, "could not read the customers of alerts");
    return due;
  }
}
