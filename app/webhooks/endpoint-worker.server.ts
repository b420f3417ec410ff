import { setTimeout as after } from "node:timers/promises";
import { now } from "../platform/clock.server.ts";
import { unseal } from "../platform/crypto.server.ts";
import { log } from "../platform/log.server.ts";
import type { ConnectionBudget } from "./connection-budget.ts";
import { SECRET_PURPOSE } from "./secrets.server.ts";
import { payload } from "./payload.server.ts";
import {
  dueDeliveries,
  recordAttempt,
  recordFailure,
  recordRecovery,
  rescheduleEndpoint,
  type Attempt,
  type Due,
  type EndpointKey,
} from "./queue.server.ts";
import { identityHeaders, identityOf } from "./request.ts";
import { probeDelay, retryDelay, waitFor } from "./schedule.ts";
import type { DeliveryResult, Channel } from "./send.server.ts";
import { signatureHeader } from "./signature.server.ts";

/** Deliveries to one endpoint at a time. It begins with few, so that one that hangs holds up little, and gains one with each success. */
const WINDOW = { start: 2, max: 16 } as const;
/** Deliveries taken from the queue at a time: looking for each would cost the database more than making them. */
const TAKEN = 64;
/** Milliseconds after which what was taken but not sent is looked for again: it may have been paused or got another secret. */
const FRESH_MS = 500;
/** Milliseconds until a result that could not be recorded is tried again. */
const RECORD_AGAIN = 1_000;

const GONE = 410;

export interface EndpointWorkerOptions {
  key: EndpointKey;
  /** of the lease */
  holder: string;
  /** closed by the worker when it ends */
  channel: Channel;
  budget: ConnectionBudget;
}

/** Works on one endpoint: takes what is due, sends it, records what became of it. */
export class EndpointWorker {
  readonly key: EndpointKey;
  readonly #holder: string;
  readonly #channel: Channel;
  readonly #budget: ConnectionBudget;
  /** ids of deliveries that are being sent or recorded */
  readonly #underWay = new Set<string>();
  /** taken, to be sent next */
  #ready: Due[] = [];
  /** until when that holds (`performance.now()`) */
  #freshUntil = 0;
  /** there may be more in the queue than was taken */
  #more = false;
  #window: number = WINDOW.start;
  /** in a row, as far as this process knows */
  #failures = 0;
  #looking = false;
  #lookAgain = false;
  #stopped = false;
  #abandoned = false;
  /** since when there has been nothing to do (`performance.now()`) */
  idleSince: number | undefined;

  constructor({ key, holder, channel, budget }: EndpointWorkerOptions) {
    this.key = key;
    this.#holder = holder;
    this.#channel = channel;
    this.#budget = budget;
  }

  get busy(): boolean {
    return this.#looking || this.#underWay.size > 0;
  }

  /** Takes no more. What is on its way goes on. */
  stop(): void {
    this.#stopped = true;
    this.#budget.withdraw(this.key);
    this.#closeIfDone();
  }

  /** Gives up what is on its way, as if it had never been sent: another process makes it again. */
  abandon(): void {
    this.#stopped = true;
    this.#abandoned = true;
  }

  #closeIfDone(): void {
    if (this.#stopped && this.#underWay.size === 0) void this.#channel.close();
  }

  /** There may be something to do. */
  wake(): void {
    this.#more = true;
    this.#goOn();
  }

  #goOn(): void {
    this.idleSince = undefined;
    if (this.#stopped) return;
    if (this.#looking) this.#lookAgain = true;
    else void this.#look();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      do await this.#takeDue();
      while (this.#asked() && !this.#stopped);
    } catch (error) {
      // The next poll wakes it again.
      log.warn({ err: error, endpoint: this.key.endpointId }, "can't look for what a webhook has to deliver");
    } finally {
      this.#looking = false;
    }
  }

  /** Has somebody asked for another look since this was asked last? */
  #asked(): boolean {
    const again = this.#lookAgain;
    this.#lookAgain = false;
    return again;
  }

  async #takeDue(): Promise<void> {
    if (this.#free() === 0) return;
    if (performance.now() >= this.#freshUntil && this.#ready.length > 0) {
      this.#ready = [];
      this.#more = true;
    }
    if (this.#ready.length === 0 && (this.#more || this.#underWay.size === 0)) {
      this.#more = false;
      const limit = this.#failures > 0 ? 1 : TAKEN;
      const due = await dueDeliveries(this.key, this.#holder, [...this.#underWay], limit);
      if (due.length === limit) this.#more = true;
      const [first] = due;
      // With nothing in flight the row is right: its owner may have given the webhook another address.
      if (first) this.#failures = this.#underWay.size === 0 ? first.failures : Math.max(this.#failures, first.failures);
      else if (this.#underWay.size === 0) {
        if (await rescheduleEndpoint(this.key, this.#holder)) this.idleSince ??= performance.now();
        return;
      }
      this.#ready = due;
      this.#freshUntil = performance.now() + FRESH_MS;
    }
    // Counted again each time: what has been learnt meanwhile holds.
    while (this.#ready.length > 0 && this.#free() > 0 && this.#budget.take(this.key, () => this.#goOn())) {
      const delivery = this.#ready.shift();
      if (delivery) void this.#deliver(delivery);
    }
  }

  /**
   * How many more may be sent now. While it fails, one delivery at a time finds out whether it works again; the others wait and lose no
   * attempt.
   */
  #free(): number {
    if (this.#stopped) return 0;
    return Math.max(0, (this.#failures > 0 ? 1 : this.#window) - this.#underWay.size);
  }

  async #deliver(delivery: Due): Promise<void> {
    this.#underWay.add(delivery.id);
    const failuresBefore = this.#failures;
    try {
      const at = now();
      const body = payload(delivery);
      if (body === undefined) {
        this.#budget.release(this.key);
        await this.#record(toAttempt(this.key.shopId, { ...delivery, url: null }, at, NOTHING_TO_TELL, true));
        return;
      }
      const answered = await this.#send(delivery, body, at);
      if (this.#abandoned) return;
      await this.#record(toAttempt(this.key.shopId, delivery, at, answered, isFinal(delivery, answered)));
      await this.#recordHealth(delivery, answered, failuresBefore);
    } catch (error) {
      log.warn({ err: error, endpoint: this.key.endpointId }, "a webhook's delivery is made again later");
    } finally {
      this.#underWay.delete(delivery.id);
      this.#closeIfDone();
      this.#goOn();
    }
  }

  async #send(delivery: Due, body: string, at: Date): Promise<DeliveryResult> {
    try {
      const identity = identityOf(delivery.event_id, at);
      const secrets = [delivery.secret_sealed, delivery.old_secret_sealed].flatMap((sealed) =>
        sealed === null ? [] : [unseal(sealed, SECRET_PURPOSE)],
      );
      return await this.#channel.send({
        url: delivery.url,
        headers: {
          ...identityHeaders(identity),
          "webhook-signature": signatureHeader(secrets, identity.messageId, identity.timestamp, body),
        },
        body,
      });
    } finally {
      this.#budget.release(this.key);
    }
  }

  /** Until it is in the database: a delivery whose result is lost would be made again. */
  async #record(attempt: Attempt): Promise<void> {
    for (;;) {
      try {
        await recordAttempt(attempt);
        return;
      } catch (error) {
        if (this.#abandoned) throw error;
        log.warn({ err: error, endpoint: this.key.endpointId }, "a webhook's attempt could not be recorded yet");
        await after(RECORD_AGAIN);
      }
    }
  }

  /** @param failuresBefore in a row, when the request was sent */
  async #recordHealth({ kind }: Due, answered: DeliveryResult, failuresBefore: number): Promise<void> {
    if (answered.ok) {
      this.#window = Math.min(WINDOW.max, this.#window + 1);
      if (this.#failures === 0) return;
      this.#failures = 0;
      await recordRecovery(this.key);
      return;
    }
    // A test says nothing that its owner does not see.
    if (kind === "test" && answered.status !== GONE) return;
    // Requests that were in flight together fail together: that is one failure of the endpoint, not one each.
    this.#failures = Math.max(this.#failures, failuresBefore + 1);
    this.#ready = [];
    this.#more = true;
    this.#window = WINDOW.start;
    const disabled = await recordFailure(this.key, {
      failures: this.#failures,
      backoffMs: waitFor(probeDelay(this.#failures), answered.retryAfterMs),
      gone: answered.status === GONE,
    });
    if (disabled !== undefined) {
      log.warn({ endpoint: this.key.endpointId, reason: disabled }, "a webhook is disabled");
    }
  }
}

const NOTHING_TO_TELL: DeliveryResult = {
  status: null,
  error: "the event, or the share link that it is about, is gone",
  response: null,
  durationMs: 0,
  retryAfterMs: undefined,
  ok: false,
};

/** A test is made once: who asked for it is looking. After a 410 nothing is sent any more. */
function isFinal({ kind }: Due, { status }: DeliveryResult): boolean {
  return kind === "test" || status === GONE;
}

function toAttempt(
  shopId: number,
  { id, attempts, url }: Pick<Due, "id" | "attempts"> & { url: string | null },
  at: Date,
  answered: DeliveryResult,
  final: boolean,
): Attempt {
  const { status, error, response, durationMs, ok, retryAfterMs } = answered;
  const number = attempts + 1;
  const delay = final ? undefined : retryDelay(number);
  return {
    shopId,
    deliveryId: id,
    number,
    at,
    url,
    durationMs: Math.round(durationMs),
    status,
    error,
    response,
    outcome: ok ? "succeeded" : delay === undefined ? "failed" : "pending",
    waitMs: delay === undefined ? 0 : waitFor(delay, retryAfterMs),
  };
}
