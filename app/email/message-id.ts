// Message-IDs without their host. A report about a message names its id, and nothing else from which the shop follows.

/** What a message is about: a batch of deliveries, or a request that its recipient is asked to confirm. */
type Subject = "batch" | "request";

/** The form of an id; what follows it in a report is the host. */
const FORM = String.raw`(batch|request)_([\da-f]{32})\.(\d{1,18})`;

/** A whole id in the text of a report. */
const IN_TEXT = new RegExp(`<${FORM}@[^<>\\s]{1,255}>`);
const WHOLE = new RegExp(`^<?${FORM}(?:@[^<>\\s]*)?>?$`);

/** Returns the id of a message, the same for each attempt. @param uuid of its subject, with or without hyphens */
export function messageIdOf(subject: Subject, uuid: string, shopId: number): string {
  return `${subject}_${uuid.replaceAll("-", "")}.${shopId}`;
}

/** Returns the first id of this service in a text, as it is written there. */
export function findMessageId(text: string): string | undefined {
  return IN_TEXT.exec(text)?.[0];
}

/** Returns what an id names; undefined for the id of another service's message. */
export function readMessageId(id: string): { subject: Subject; uuid: string; shopId: number } | undefined {
  const [, subject, uuid = "", shop = ""] = WHOLE.exec(id) ?? [];
  const shopId = Number(shop);
  if (subject === undefined || !Number.isSafeInteger(shopId)) return undefined;
  return { subject: subject === "batch" ? "batch" : "request", uuid, shopId };
}
