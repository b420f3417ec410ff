import type { KeyObject } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import type { DueEndpoints } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { unseal } from "../../platform/encryption/crypto.server.ts";
import { log } from "../../platform/log/log.server.ts";
import { isTracing, traced } from "../../platform/tracing/tracing.server.ts";
import { GONE, isFinal, toAttempt } from "./attempt.server.ts";
import type { BatchLimits, Channel, ChannelType, DeliveryResult } from "./channel.ts";
import { countAttempts, countDisabled } from "./metrics.server.ts";
import type { ConnectionBudget } from "./connection-budget.ts";
import type { EndpointKey } from "./endpoint-key.ts";
import { toDeliveryId } from "../ids.ts";
import type { RecentShops } from "./recent-shops.ts";
import { SECRET_PURPOSE } from "../subscriptions/secrets.server.ts";
import {
  dueDeliveries,
  recordAttempts,
  recordFailure,
  recordRecovery,
  rescheduleEndpoint,
  type Attempt,
  type Due,
} from "./queue.server.ts";
import { identityHeaders, identityOf } from "./request.ts";
import { withRecipients, type ReadRecipients } from "./recipients.server.ts";
import {
  ofFirstCustomers,
  takeCustomersMessage,
  takeRequest,
  WEBHOOK_BATCH,
  wholeMessages,
  type OutgoingRequest,
} from "./requests.server.ts";
import { chance, probeDelay, waitFor } from "./schedule.ts";
import { signatureHeader, signingKey } from "./signature.server.ts";

/** Concurrent requests to one endpoint. The window starts small, so that an endpoint that hangs blocks few, and grows with each success. */
const WINDOW = { start: 2, max: 16, maxBatches: 4 } as const;
/**
 * Deliveries per query: a query per delivery would cost the database more than the deliveries themselves. It doubles while the receiver takes
 * all of them before they expire.
 */
const FETCH = { single: 100, max: 2_000 } as const;
/** Deliveries per query of a channel whose messages have the alerts of a customer: all alerts of a customer at a moment fit. */
const CUSTOMERS_FETCH = 500;
/**
 * Customers of a channel whose messages are taken from a query: each is read from Shopify. The number doubles while all messages are sent before they
 * expire.
 */
const CUSTOMERS_TAKEN = { least: 100, max: 400 } as const;
/** Milliseconds after which fetched deliveries are fetched again, because the webhook may have been paused or its secret rotated. */
const FRESH_MS = 500;
/** Rest after a query's deliveries, as a multiple of their time, while the process also delivers for other shops. */
const REST_FACTOR = 2;
/** The longest rest in milliseconds. */
const MAX_REST_MS = 100;
/** Milliseconds until recording a result is tried again. */
const RECORD_RETRY_MS = 1_000;

export interface EndpointWorkerOptions {
  key: EndpointKey;
  /** the lease's holder */
  holder: string;
  /** closed by the worker when it ends */
  channel: Channel;
  /** undefined for a webhook of the merchant's */
  type?: ChannelType | undefined;
  budget: ConnectionBudget;
  recentShops: RecentShops;
  readRecipients: ReadRecipients;
  /** called with the endpoints that receive an event because this endpoint was disabled */
  onNotified: (endpoints: DueEndpoints) => void;
}

/** Works on one endpoint: fetches due deliveries, sends them and records the results. */
export class EndpointWorker {
  readonly key: EndpointKey;
  readonly #holder: string;
  readonly #channel: Channel;
  readonly #isByCustomer: boolean;
  readonly #needsRecipients: boolean;
  readonly #needsEveryCustomer: boolean;
  readonly #batchLimits: BatchLimits;
  readonly #budget: ConnectionBudget;
  readonly #recentShops: RecentShops;
  readonly #readRecipients: ReadRecipients;
  readonly #onNotified: EndpointWorkerOptions["onNotified"];
  /** ids of deliveries that are being sent or recorded */
  readonly #inProgress = new Set<string>();
  /** fetched deliveries that are not sent yet */
  #fetched: Due[] = [];
  /** when `#fetched` expires (`performance.now()`) */
  #freshUntil = 0;
  /** when `#fetched` was fetched (`performance.now()`) */
  #fetchedAt = 0;
  /** whether the last query returned as many deliveries as it might */
  #backlog = false;
  /** deliveries of the next query */
  #fetchSize: number = FETCH.single;
  /** customers whose messages are taken from the next query */
  #customersTaken: number = CUSTOMERS_TAKEN.least;
  /** whether the queue may contain more due deliveries than were fetched */
  #more = false;
  #window: number = WINDOW.start;
  /** requests that are being sent or recorded */
  #requests = 0;
  /** whether requests carry several events, as far as this process knows */
  #batch = false;
  /** failures in a row, as far as this process knows */
  #failures = 0;
  /** the keys of the last request's sealed secrets */
  #keys: { name: string; keys: readonly KeyObject[] } | undefined;
  #fetching = false;
  #fetchAgain = false;
  #stopped = false;
  #abandoned = false;
  /** when the worker ran out of deliveries (`performance.now()`) */
  idleSince: number | undefined;

  constructor({ key, holder, channel, type, budget, recentShops, readRecipients, onNotified }: EndpointWorkerOptions) {
    this.key = key;
    this.#holder = holder;
    this.#channel = channel;
    this.#isByCustomer = type?.isByCustomer ?? false;
    this.#needsRecipients = type?.needsRecipients ?? true;
    this.#needsEveryCustomer = type?.needsEveryCustomer ?? false;
    this.#batchLimits = type?.batchLimits ?? WEBHOOK_BATCH;
    this.#budget = budget;
    this.#recentShops = recentShops;
    this.#readRecipients = readRecipients;
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
    const expired = this.#dropExpired();
    if (this.#fetched.length === 0 && (this.#more || this.#inProgress.size === 0)) await this.#refill(expired);
    // `#free` is evaluated for each request, because a result in between can change it.
    while (this.#fetched.length > 0 && this.#free() > 0 && this.#budget.take(this.key, () => this.#continue())) {
      void this.#deliver(
        this.#isByCustomer ? takeCustomersMessage(this.#fetched) : takeRequest(this.#fetched, this.#batchLimits),
      );
    }
  }

  /** Drops fetched deliveries that have expired. @returns whether the last fetch has */
  #dropExpired(): boolean {
    const expired = performance.now() >= this.#freshUntil;
    if (expired && this.#fetched.length > 0) {
      this.#fetched = [];
      this.#more = true;
    }
    return expired;
  }

  /** Fetches due deliveries, or reschedules an endpoint that has none. @param expired whether the last fetch expired before all of it was sent */
  async #refill(expired: boolean): Promise<void> {
    const isShared = this.#recentShops.isShared(this.key.shopId);
    if (isShared && this.#backlog && this.#failures === 0) await this.#rest();
    if (this.#stopped) return;
    this.#resize(this.#more && !expired && !isShared);
    this.#more = false;
    const limit = this.#isByCustomer ? CUSTOMERS_FETCH : this.#failures > 0 ? 1 : this.#fetchSize;
    const due = await dueDeliveries(this.key, this.#holder, [...this.#inProgress], limit);
    this.#backlog = due.length === limit;
    if (this.#backlog) this.#more = true;
    const [first] = due;
    if (first) this.#noteState(first);
    else if (this.#inProgress.size === 0) {
      if (await rescheduleEndpoint(this.key, this.#holder)) this.idleSince ??= performance.now();
      return;
    }
    const whole = this.#isByCustomer ? ofFirstCustomers(wholeMessages(due, this.#backlog), this.#customersTaken) : due;
    if (whole.length < due.length) this.#more = true;
    this.#fetched = this.#needsRecipients
      ? await withRecipients(whole, this.#readRecipients, this.#needsEveryCustomer)
      : whole;
    this.#fetchedAt = performance.now();
    this.#freshUntil = this.#fetchedAt + FRESH_MS;
  }

  /** Sets the size of the next query: twice the last one, or the least. */
  #resize(grows: boolean): void {
    const least = this.#batch ? Math.min(FETCH.max, WINDOW.maxBatches * this.#batchLimits.events) : FETCH.single;
    this.#fetchSize = grows ? Math.min(FETCH.max, Math.max(least, this.#fetchSize * 2)) : least;
    this.#customersTaken = grows ? Math.min(CUSTOMERS_TAKEN.max, this.#customersTaken * 2) : CUSTOMERS_TAKEN.least;
  }

  /** Notes the endpoint's state, which each due delivery has. Without attempts in progress it is current: another URL may have reset the failures. */
  #noteState({ batch, failures }: Due): void {
    this.#batch = batch;
    this.#failures = this.#inProgress.size === 0 ? failures : Math.max(this.#failures, failures);
  }

  /** Rests when the last query left deliveries, so that the process has room for other shops. */
  async #rest(): Promise<void> {
    const took = performance.now() - this.#fetchedAt;
    await after(Math.min(MAX_REST_MS, took * REST_FACTOR), undefined, { ref: false });
  }

  /**
   * Returns how many more requests may be sent now. While the endpoint fails, one delivery at a time probes it; the others wait without using
   * up attempts.
   */
  #free(): number {
    if (this.#stopped) return 0;
    const window = this.#batch ? Math.min(this.#window, WINDOW.maxBatches) : this.#window;
    return Math.max(0, (this.#failures > 0 ? 1 : window) - this.#requests);
  }

  async #deliver(request: OutgoingRequest): Promise<void> {
    const { events, unsendable, batchId } = request;
    const deliveries = events.map(({ delivery }) => delivery);
    const ids = [...deliveries, ...unsendable.map(({ delivery }) => delivery)].map(({ id }) => id);
    for (const id of ids) this.#inProgress.add(id);
    this.#requests++;
    this.#recentShops.record(this.key.shopId);
    const failuresBefore = this.#failures;
    const { shopId } = this.key;
    try {
      const at = now();
      const refused = this.#record(
        unsendable.map(({ delivery, result, final }) =>
          toAttempt(shopId, { ...delivery, url: null }, at, result, { final }),
        ),
      );
      const [first] = deliveries;
      if (!first) {
        this.#budget.release(this.key);
        await refused;
        return;
      }
      const [result] = await Promise.all([this.#sendTraced(first, request, at), refused]);
      if (this.#abandoned) return;
      const jitter = chance();
      await this.#record(
        deliveries.map((delivery) => {
          const own = result.ofDeliveries?.get(delivery.id) ?? result;
          return toAttempt(shopId, delivery, at, own, { final: isFinal(delivery, own), batchId, random: () => jitter });
        }),
      );
      await this.#recordHealth(first, result, failuresBefore);
    } catch (error) {
      log.warn({ err: error, endpoint: this.key.endpointId }, "a webhook's delivery failed and will be retried");
    } finally {
      for (const id of ids) this.#inProgress.delete(id);
      this.#requests--;
      this.#closeIfDone();
      this.#continue();
    }
  }

  /**
   * Sends a request in a span of the change's trace; a batch in that of its first traced change. Of the URL the span has the host only, because
   * the rest may hold a credential.
   */
  #sendTraced(first: Due, request: OutgoingRequest, at: Date): Promise<DeliveryResult> {
    const delivery = request.events.map((event) => event.delivery).find((one) => one.trace !== null);
    if (typeof delivery?.trace !== "string" || !isTracing()) return this.#send(first, request, at);
    const { trace, id, event, attempts, url } = delivery;
    const attributes = {
      "wishlist.shop_id": this.key.shopId,
      "wishlist.webhook_id": this.key.endpointId,
      "wishlist.delivery_id": toDeliveryId(id),
      "wishlist.event": event,
      "wishlist.events": request.events.length,
      "wishlist.attempt": attempts + 1,
      "server.address": new URL(url).hostname,
    };
    return traced("webhook attempt", { kind: "client", parent: trace, attributes }, async (span) => {
      const result = await this.#send(first, request, at);
      span?.set({ "http.response.status_code": result.status ?? undefined, "wishlist.delivered": result.ok });
      return result;
    });
  }

  /** Returns the keys that sign the requests of a delivery, the current one first. */
  #keysOf({ secret_sealed, old_secret_sealed }: Due): readonly KeyObject[] {
    const sealed = [secret_sealed, old_secret_sealed].filter((secret) => secret !== null);
    const name = sealed.join(" ");
    if (this.#keys?.name !== name) {
      this.#keys = { name, keys: sealed.map((secret) => signingKey(unseal(secret, SECRET_PURPOSE))) };
    }
    return this.#keys.keys;
  }

  async #send(first: Due, { messageId, batchId, body, events }: OutgoingRequest, at: Date): Promise<DeliveryResult> {
    try {
      const identity = identityOf(messageId, at);
      return await this.#channel.send({
        shopId: this.key.shopId,
        batchId,
        events,
        url: first.url,
        headers: {
          ...identityHeaders(identity),
          "webhook-signature": signatureHeader(this.#keysOf(first), messageId, identity.timestamp, body),
        },
        body,
      });
    } finally {
      this.#budget.release(this.key);
    }
  }

  /** Retries until the attempts are recorded: a delivery whose result is lost would be sent again. */
  async #record(attempts: readonly Attempt[]): Promise<void> {
    while (attempts.length > 0) {
      try {
        await recordAttempts(attempts);
        countAttempts(attempts);
        return;
      } catch (error) {
        if (this.#abandoned) throw error;
        log.warn({ err: error, endpoint: this.key.endpointId }, "could not record a webhook's attempts; retrying");
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
    if (result.concerns === "message") return;
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
