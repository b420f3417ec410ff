import { setTimeout as after } from "node:timers/promises";
import type { DueEndpoints } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { unseal } from "../platform/crypto.server.ts";
import { log } from "../platform/log.server.ts";
import { isTracing, traced } from "../platform/tracing.server.ts";
import { EVENT_DELETED, GONE, isFinal, toAttempt } from "./attempt.server.ts";
import { countAttempt, countDisabled } from "./delivery-metrics.server.ts";
import type { ConnectionBudget } from "./connection-budget.ts";
import type { EndpointKey } from "./endpoint-key.ts";
import { toDeliveryId } from "./ids.ts";
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
} from "./queue.server.ts";
import { identityHeaders, identityOf } from "./request.ts";
import { probeDelay, waitFor } from "./schedule.ts";
import type { DeliveryResult, Channel } from "./send.server.ts";
import { signatureHeader } from "./signature.server.ts";

/** Concurrent deliveries to one endpoint. The window starts small, so that an endpoint that hangs blocks few, and grows with each success. */
const WINDOW = { start: 2, max: 16 } as const;
/** Deliveries per query: a query per delivery would cost the database more than the deliveries themselves. */
const BATCH = 64;
/** Milliseconds after which fetched deliveries are fetched again, because the webhook may have been paused or its secret rotated. */
const FRESH_MS = 500;
/** Milliseconds until recording a result is tried again. */
const RECORD_RETRY_MS = 1_000;

export interface EndpointWorkerOptions {
  key: EndpointKey;
  /** the lease's holder */
  holder: string;
  /** closed by the worker when it ends */
  channel: Channel;
  budget: ConnectionBudget;
  /** called with the endpoints that receive an event because this endpoint was disabled */
  onNotified: (endpoints: DueEndpoints) => void;
}

/** Works on one endpoint: fetches due deliveries, sends them and records the results. */
export class EndpointWorker {
  readonly key: EndpointKey;
  readonly #holder: string;
  readonly #channel: Channel;
  readonly #budget: ConnectionBudget;
  readonly #onNotified: EndpointWorkerOptions["onNotified"];
  /** ids of deliveries that are being sent or recorded */
  readonly #inProgress = new Set<string>();
  /** fetched deliveries that are not sent yet */
  #fetched: Due[] = [];
  /** when `#fetched` expires (`performance.now()`) */
  #freshUntil = 0;
  /** whether the queue may contain more due deliveries than were fetched */
  #more = false;
  #window: number = WINDOW.start;
  /** failures in a row, as far as this process knows */
  #failures = 0;
  #fetching = false;
  #fetchAgain = false;
  #stopped = false;
  #abandoned = false;
  /** when the worker ran out of deliveries (`performance.now()`) */
  idleSince: number | undefined;

  constructor({ key, holder, channel, budget, onNotified }: EndpointWorkerOptions) {
    this.key = key;
    this.#holder = holder;
    this.#channel = channel;
    this.#budget = budget;
    this.#onNotified = onNotified;
  }

  get busy(): boolean {
    return this.#fetching || this.#inProgress.size > 0;
  }

  /** Stops sending. Attempts in progress continue. */
  stop(): void {
    this.#stopped = true;
    this.#budget.withdraw(this.key);
    this.#closeIfDone();
  }

  /** Abandons attempts in progress: they are not recorded, so that another process sends their deliveries again. */
  abandon(): void {
    this.#stopped = true;
    this.#abandoned = true;
  }

  #closeIfDone(): void {
    if (this.#stopped && this.#inProgress.size === 0) void this.#channel.close();
  }

  /** Makes the worker look for due deliveries. */
  wake(): void {
    this.#more = true;
    this.#continue();
  }

  #continue(): void {
    this.idleSince = undefined;
    if (this.#stopped) return;
    if (this.#fetching) this.#fetchAgain = true;
    else void this.#fetch();
  }

  async #fetch(): Promise<void> {
    this.#fetching = true;
    try {
      do await this.#sendDue();
      while (this.#takeFetchAgain() && !this.#stopped);
    } catch (error) {
      // The next poll wakes it again.
      log.warn({ err: error, endpoint: this.key.endpointId }, "could not read a webhook's due deliveries");
    } finally {
      this.#fetching = false;
    }
  }

  /** Returns whether another fetch was requested during the last one, and clears the request. */
  #takeFetchAgain(): boolean {
    const again = this.#fetchAgain;
    this.#fetchAgain = false;
    return again;
  }

  async #sendDue(): Promise<void> {
    if (this.#free() === 0) return;
    if (performance.now() >= this.#freshUntil && this.#fetched.length > 0) {
      this.#fetched = [];
      this.#more = true;
    }
    if (this.#fetched.length === 0 && (this.#more || this.#inProgress.size === 0)) {
      this.#more = false;
      const limit = this.#failures > 0 ? 1 : BATCH;
      const due = await dueDeliveries(this.key, this.#holder, [...this.#inProgress], limit);
      if (due.length === limit) this.#more = true;
      const [first] = due;
      // Without attempts in progress the row is current: another URL may have reset the failures.
      if (first)
        this.#failures = this.#inProgress.size === 0 ? first.failures : Math.max(this.#failures, first.failures);
      else if (this.#inProgress.size === 0) {
        if (await rescheduleEndpoint(this.key, this.#holder)) this.idleSince ??= performance.now();
        return;
      }
      this.#fetched = due;
      this.#freshUntil = performance.now() + FRESH_MS;
    }
    // `#free` is evaluated for each delivery, because a result in between can change it.
    while (this.#fetched.length > 0 && this.#free() > 0 && this.#budget.take(this.key, () => this.#continue())) {
      const delivery = this.#fetched.shift();
      if (delivery) void this.#deliver(delivery);
    }
  }

  /**
   * Returns how many more deliveries may be sent now. While the endpoint fails, one delivery at a time probes it; the others wait without using
   * up attempts.
   */
  #free(): number {
    if (this.#stopped) return 0;
    return Math.max(0, (this.#failures > 0 ? 1 : this.#window) - this.#inProgress.size);
  }

  async #deliver(delivery: Due): Promise<void> {
    this.#inProgress.add(delivery.id);
    const failuresBefore = this.#failures;
    try {
      const at = now();
      const body = payload(delivery);
      if (body === undefined) {
        this.#budget.release(this.key);
        await this.#record(toAttempt(this.key.shopId, { ...delivery, url: null }, at, EVENT_DELETED, true));
        return;
      }
      const result = await this.#sendTraced(delivery, body, at);
      if (this.#abandoned) return;
      await this.#record(toAttempt(this.key.shopId, delivery, at, result, isFinal(delivery, result)));
      await this.#recordHealth(delivery, result, failuresBefore);
    } catch (error) {
      log.warn({ err: error, endpoint: this.key.endpointId }, "a webhook's delivery failed and will be retried");
    } finally {
      this.#inProgress.delete(delivery.id);
      this.#closeIfDone();
      this.#continue();
    }
  }

  /** Sends a delivery in a span of its change's trace. Of the URL the span has the host only, because the rest may hold a credential. */
  #sendTraced(delivery: Due, body: string, at: Date): Promise<DeliveryResult> {
    const { trace, id, event, attempts, url } = delivery;
    if (trace === null || !isTracing()) return this.#send(delivery, body, at);
    const attributes = {
      "wishlist.shop_id": this.key.shopId,
      "wishlist.webhook_id": this.key.endpointId,
      "wishlist.delivery_id": toDeliveryId(id),
      "wishlist.event": event,
      "wishlist.attempt": attempts + 1,
      "server.address": new URL(url).hostname,
    };
    return traced("webhook attempt", { kind: "client", parent: trace, attributes }, async (span) => {
      const result = await this.#send(delivery, body, at);
      span?.set({ "http.response.status_code": result.status ?? undefined, "wishlist.delivered": result.ok });
      return result;
    });
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

  /** Retries until the attempt is recorded: a delivery whose result is lost would be sent again. */
  async #record(attempt: Attempt): Promise<void> {
    for (;;) {
      try {
        await recordAttempt(attempt);
        countAttempt(attempt);
        return;
      } catch (error) {
        if (this.#abandoned) throw error;
        log.warn({ err: error, endpoint: this.key.endpointId }, "could not record a webhook's attempt; retrying");
        await after(RECORD_RETRY_MS);
      }
    }
  }

  /** Records what a result says about the endpoint. @param failuresBefore failures in a row when the request was sent */
  async #recordHealth({ kind }: Due, result: DeliveryResult, failuresBefore: number): Promise<void> {
    if (result.ok) {
      this.#window = Math.min(WINDOW.max, this.#window + 1);
      if (this.#failures === 0) return;
      this.#failures = 0;
      await recordRecovery(this.key);
      return;
    }
    // A failed test does not start a back-off, because staff see its result.
    if (kind === "test" && result.status !== GONE) return;
    // Requests that were in progress together and fail together count as one failure of the endpoint.
    this.#failures = Math.max(this.#failures, failuresBefore + 1);
    this.#fetched = [];
    this.#more = true;
    this.#window = WINDOW.start;
    const disabled = await recordFailure(this.key, {
      failures: this.#failures,
      backoffMs: waitFor(probeDelay(this.#failures), result.retryAfterMs),
      gone: result.status === GONE,
    });
    if (disabled === undefined) return;
    countDisabled(disabled.reason);
    log.warn({ endpoint: this.key.endpointId, reason: disabled.reason }, "a webhook was disabled");
    if (disabled.notified.length > 0) this.#onNotified({ shopId: this.key.shopId, endpointIds: disabled.notified });
  }
}
