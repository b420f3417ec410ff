import { run, statement } from "../database/database.server.ts";
import { onNotification } from "../database/notifications.server.ts";
import { outsideSpans } from "../tracing/context.server.ts";
import { runAs } from "../database/work-class.server.ts";

/** Milliseconds between two notifications of an announcer. */
const PAUSE_MS = 10;
/** Bytes of a notification; PostgreSQL takes less than 8,000. */
const MAX_BYTES = 7_900;

const notifyStatement = statement<Record<string, never>>("announce", "SELECT pg_notify($1, $2)");

/**
 * Tells other processes what has changed, by NOTIFY. The first message is sent at once, those of the next milliseconds together. Messages can be lost, so
 * who listens also polls.
 */
export class Announcer {
  readonly #channel: string;
  /** messages that wait, by what they are about */
  readonly #waiting = new Map<string | number, string>();
  #pausing: NodeJS.Timeout | undefined;

  /** @param channel of PostgreSQL, used by this announcer alone */
  constructor(channel: string) {
    this.#channel = channel;
  }

  /**
   * @param about what the message is about: a message that still waits is replaced by the next one about the same
   * @param message ASCII without spaces
   */
  announce(about: string | number, message = String(about)): void {
    this.#waiting.set(about, message);
    if (this.#pausing === undefined) outsideSpans(() => void runAs("background", () => this.#send()));
  }

  async #send(): Promise<void> {
    this.#pausing = setTimeout(() => {
      this.#pausing = undefined;
      if (this.#waiting.size > 0) void this.#send();
    }, PAUSE_MS).unref();
    try {
      await run(notifyStatement, [this.#channel, this.#take().join(" ")]);
    } catch {
      // Polling finds what was not announced.
    }
  }

  /** Takes as many waiting messages as a notification holds. */
  #take(): string[] {
    const taken: string[] = [];
    let bytes = 0;
    for (const [about, message] of this.#waiting) {
      bytes += message.length + 1;
      if (bytes > MAX_BYTES) break;
      taken.push(message);
      this.#waiting.delete(about);
    }
    return taken;
  }

  /** Sets the listener for the messages of all processes, this one included. To be called before `startListening`. */
  listen(onMessages: (messages: readonly string[]) => void): void {
    onNotification(this.#channel, { onMessage: (payload) => onMessages(payload.split(" ")) });
  }
}
