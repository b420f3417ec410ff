import { setTimeout as after } from "node:timers/promises";
import { holderId } from "../platform/ids.server.ts";
import { log } from "../platform/log.server.ts";
import { ConnectionBudget } from "./connection-budget.ts";
import { endpointName, type EndpointKey } from "./endpoint-key.ts";
import { EndpointWorker, type EndpointWorkerOptions } from "./endpoint-worker.server.ts";
import { claimEndpoints, releaseEndpoints, renewLeases } from "./queue.server.ts";
import type { Sender } from "./send.server.ts";

/** Endpoints worked on at a time. */
const MAX_WORKERS = 500;
/** Milliseconds without work after which an endpoint's lease is released. */
const IDLE_MS = 5_000;
/** Milliseconds that the shutdown waits for attempts in progress. */
const DRAIN_MS = 2_000;

/** The workers of the endpoints that this process has leased. */
export class WorkerPool {
  readonly #holder = holderId();
  readonly #sender: Sender;
  readonly #onNotified: EndpointWorkerOptions["onNotified"];
  readonly #budget = new ConnectionBudget();
  readonly #workers = new Map<string, EndpointWorker>();
  #claiming: Promise<void> | undefined;
  #claimAgain = false;
  #renewing: Promise<void> | undefined;
  #stopping = false;

  constructor(sender: Sender, onNotified: EndpointWorkerOptions["onNotified"]) {
    this.#sender = sender;
    this.#onNotified = onNotified;
  }

  /** Number of endpoints that this process has leased. */
  get size(): number {
    return this.#workers.size;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Returns whether an endpoint has a worker in this process. @param name an endpoint's name, as `endpointName` returns it */
  has(name: string): boolean {
    return this.#workers.has(name);
  }

  /** Wakes an endpoint's worker. @returns false when the endpoint has no worker in this process */
  wake(name: string): boolean {
    const worker = this.#workers.get(name);
    worker?.wake();
    return worker !== undefined;
  }

  /** Leases due endpoints and starts their workers. A call during another claim makes that claim look again. */
  claim(): Promise<void> {
    if (this.#claiming) this.#claimAgain = true;
    this.#claiming ??= this.#claimAll().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  async #claimAll(): Promise<void> {
    do {
      try {
        for (const key of await claimEndpoints(this.#holder, MAX_WORKERS)) this.#start(key);
      } catch (error) {
        log.warn({ err: error }, "could not look for due webhooks; retrying");
      }
    } while (this.#takeClaimAgain() && !this.#stopping);
  }

  /** Returns whether another claim was requested during the last one, and clears the request. */
  #takeClaimAgain(): boolean {
    const again = this.#claimAgain;
    this.#claimAgain = false;
    return again;
  }

  #start(key: EndpointKey): void {
    const name = endpointName(key);
    let worker = this.#workers.get(name);
    if (!worker) {
      worker = new EndpointWorker({
        key,
        holder: this.#holder,
        channel: this.#sender.open(),
        budget: this.#budget,
        onNotified: this.#onNotified,
      });
      this.#workers.set(name, worker);
    }
    if (this.#stopping) worker.stop();
    worker.wake();
  }

  /** Renews the leases, stops workers that have lost theirs, and releases endpoints without work. */
  renew(): void {
    this.#renewing ??= this.#renewAll().finally(() => {
      this.#renewing = undefined;
    });
  }

  async #renewAll(): Promise<void> {
    const held = [...this.#workers.values()].map(({ key }) => key);
    if (held.length === 0) return;
    try {
      const kept = new Set((await renewLeases(this.#holder, held)).map(endpointName));
      for (const name of held.map(endpointName)) {
        if (kept.has(name)) continue;
        // The endpoint was deleted, or another process took it over while the database was unreachable.
        this.#workers.get(name)?.stop();
        this.#workers.delete(name);
      }
      await this.#releaseIdle();
    } catch (error) {
      log.warn({ err: error }, "could not renew the leases of webhooks; retrying");
    }
  }

  async #releaseIdle(): Promise<void> {
    const idle = [...this.#workers.values()].filter(
      ({ busy, idleSince }) => !busy && idleSince !== undefined && performance.now() - idleSince > IDLE_MS,
    );
    if (idle.length === 0) return;
    await releaseEndpoints(
      this.#holder,
      idle.map(({ key }) => key),
    );
    for (const worker of idle) {
      worker.stop();
      this.#workers.delete(endpointName(worker.key));
    }
    // A worker that was woken after the release could no longer fetch deliveries, so its endpoint is claimed again.
    await this.claim();
  }

  /** Stops all workers, waits up to `DRAIN_MS` for attempts in progress, and releases the leases. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#claiming, this.#renewing]);
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.stop();
    const deadline = performance.now() + DRAIN_MS;
    while (workers.some(({ busy }) => busy) && performance.now() < deadline) await after(10);
    for (const worker of workers) worker.abandon();
    await this.#sender.close();
    await releaseEndpoints(
      this.#holder,
      workers.map(({ key }) => key),
    );
  }
}
