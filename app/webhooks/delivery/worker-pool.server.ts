import { setTimeout as after } from "node:timers/promises";
import { holderId } from "../../platform/ids.server.ts";
import { log } from "../../platform/log/log.server.ts";
import type { ChannelType } from "./channel.ts";
import { ConnectionBudget } from "./connection-budget.ts";
import { endpointName, type EndpointKey } from "./endpoint-key.ts";
import { EndpointWorker, type EndpointWorkerOptions } from "./endpoint-worker.server.ts";
import { RecentShops } from "./recent-shops.ts";
import { dueEndpoints, leasesOf } from "./queue.server.ts";
import type { Sender } from "./send.server.ts";

/** Endpoints worked on at a time. */
const MAX_WORKERS = 500;
/** Milliseconds without work after which an endpoint's lease is released. */
const IDLE_MS = 5_000;
/** Milliseconds that the shutdown waits for attempts in progress. */
const DRAIN_MS = 2_000;

/** The workers of the endpoints that this process has leased. */
export class WorkerPool {
  /** of all requests of this process */
  readonly recentShops = new RecentShops();
  readonly #holder = holderId();
  readonly #leases = leasesOf(this.#holder);
  readonly #sender: Sender;
  readonly #channels: ReadonlyMap<string, ChannelType>;
  readonly #readRecipients: EndpointWorkerOptions["readRecipients"];
  readonly #onNotified: EndpointWorkerOptions["onNotified"];
  readonly #budget = new ConnectionBudget();
  readonly #workers = new Map<string, EndpointWorker>();
  #polling: Promise<void> | undefined;
  /** calls of the database that can start a worker or end one */
  readonly #calls = new Set<Promise<void>>();
  readonly #renewing = new Set<EndpointWorker>();
  #stopping = false;

  constructor({
    sender,
    channels,
    readRecipients,
    onNotified,
  }: { sender: Sender; channels: ReadonlyMap<string, ChannelType> } & Pick<
    EndpointWorkerOptions,
    "readRecipients" | "onNotified"
  >) {
    this.#sender = sender;
    this.#channels = channels;
    this.#readRecipients = readRecipients;
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

  /** Leases endpoints, unless they are not due or other processes have them, and starts their workers. Endpoints do not wait for each other. */
  async claim(keys: readonly EndpointKey[]): Promise<void> {
    if (this.#stopping) return;
    const free = Math.max(0, MAX_WORKERS - this.#workers.size);
    await this.#each(keys.slice(0, free), "could not lease webhooks; the next poll finds them", async (key) => {
      if (await this.#leases.claim(key)) this.#start(key);
    });
  }

  /** Looks for due endpoints that were not announced, and leases them. */
  poll(): void {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
    });
  }

  async #poll(): Promise<void> {
    try {
      const due = await dueEndpoints(this.#holder, MAX_WORKERS);
      // Not awaited: an endpoint whose shop's node does not respond must not delay the next poll.
      void this.claim(due.filter((key) => !this.wake(endpointName(key))));
    } catch (error) {
      log.warn({ err: error }, "could not look for due webhooks; retrying");
    }
  }

  /** Runs work on each item at once, and logs failures once. */
  async #each<Item>(items: readonly Item[], failure: string, work: (item: Item) => Promise<void>): Promise<void> {
    const calls = items.map((item) => {
      const call = work(item);
      this.#calls.add(call);
      return call.finally(() => this.#calls.delete(call));
    });
    const failed = (await Promise.allSettled(calls)).filter((result) => result.status === "rejected");
    const [first] = failed;
    if (first) log.warn({ err: first.reason }, failure);
  }

  #start(key: EndpointKey): void {
    const name = endpointName(key);
    let worker = this.#workers.get(name);
    if (!worker) {
      const type = this.#channels.get(key.endpointId);
      worker = new EndpointWorker({
        key,
        holder: this.#holder,
        channel: (type ?? this.#sender).open(),
        type,
        budget: this.#budget,
        recentShops: this.recentShops,
        readRecipients: this.#readRecipients,
        onNotified: this.#onNotified,
      });
      this.#workers.set(name, worker);
    }
    if (this.#stopping) worker.stop();
    worker.wake();
  }

  /** Renews the leases, stops workers that have lost theirs, and releases endpoints without work. */
  async renew(): Promise<void> {
    const due = [...this.#workers.values()].filter((worker) => !this.#renewing.has(worker));
    await this.#each(due, "could not renew the leases of webhooks; retrying", async (worker) => {
      this.#renewing.add(worker);
      try {
        // Without a lease, the endpoint was deleted, or another process took it over while the database was unreachable.
        if (!(await this.#leases.renew(worker.key))) this.#end(worker);
        else if (isIdle(worker)) await this.#release(worker);
      } finally {
        this.#renewing.delete(worker);
      }
    });
  }

  #end(worker: EndpointWorker): void {
    worker.stop();
    const name = endpointName(worker.key);
    if (this.#workers.get(name) === worker) this.#workers.delete(name);
  }

  async #release(worker: EndpointWorker): Promise<void> {
    await this.#leases.release(worker.key);
    this.#end(worker);
    // A worker that was woken after the release could no longer fetch deliveries.
    await this.claim([worker.key]);
  }

  /** Stops all workers, waits up to `DRAIN_MS` for attempts in progress, and releases the leases. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#polling;
    await Promise.allSettled(this.#calls);
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.stop();
    const deadline = performance.now() + DRAIN_MS;
    while (workers.some(({ busy }) => busy) && performance.now() < deadline) await after(10);
    for (const worker of workers) worker.abandon();
    await this.#sender.close();
    await Promise.all(workers.map(({ key }) => this.#leases.release(key)));
  }
}

function isIdle({ busy, idleSince }: EndpointWorker): boolean {
  return !busy && idleSince !== undefined && performance.now() - idleSince > IDLE_MS;
}
