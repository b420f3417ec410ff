import { now } from "../../../app/platform/clock.server.ts";

/** An address with the name beside it, which may be empty. */
export interface MailAddress {
  name: string;
  address: string;
}

/** A message as the mail server received it. */
export interface Message {
  /** increases with each message */
  id: number;
  at: Date;
  /** the header */
  from: MailAddress;
  /** the header */
  to: MailAddress[];
  /** the addresses of the SMTP commands, which decide where a message goes */
  envelope: { from: string; to: string[] };
  subject: string;
  text: string;
  /** undefined without an HTML part; embedded images are data URLs */
  html: string | undefined;
  /** in order, unfolded but not decoded, with names in lower case */
  headers: { name: string; value: string }[];
  attachments: { name: string; type: string; bytes: number }[];
  bytes: number;
}

/** How many messages are kept; the oldest go first. */
const MAXIMUM_MESSAGES = 300;

/** What the mail server received, for all stores of a devstore. */
export interface Inbox {
  /** newest first */
  messages: () => readonly Message[];
  byId: (id: number) => Message | undefined;
  receive: (message: Omit<Message, "id" | "at">) => void;
  /**
   * Returns the oldest message that matches, or else waits for one.
   * @throws the signal's reason when it is aborted
   */
  next: (matches?: (message: Message) => boolean, signal?: AbortSignal) => Promise<Message>;
  clear: () => void;
}

interface Waiting {
  matches: (message: Message) => boolean;
  resolve: (message: Message) => void;
}

export function createInbox(): Inbox {
  let messages: Message[] = [];
  let received = 0;
  const waiting = new Set<Waiting>();
  return {
    messages: () => messages,
    byId: (id) => messages.find((message) => message.id === id),
    receive(given) {
      const message = { ...given, id: ++received, at: now() };
      messages = [message, ...messages].slice(0, MAXIMUM_MESSAGES);
      for (const one of waiting) if (one.matches(message)) one.resolve(message);
    },
    async next(matches = () => true, signal) {
      const kept = messages.findLast(matches);
      if (kept !== undefined) return kept;
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Message>();
      const entry = { matches, resolve };
      const abort = () => {
        reject(signal?.reason);
      };
      waiting.add(entry);
      signal?.addEventListener("abort", abort);
      try {
        return await promise;
      } finally {
        waiting.delete(entry);
        signal?.removeEventListener("abort", abort);
      }
    },
    clear() {
      messages = [];
    },
  };
}
