import { setTimeout as after } from "node:timers/promises";
import type { Shop } from "../rig/shops.ts";
import type { Client } from "./client.ts";
import type { Customer, Ledger } from "./ledger.ts";
import { KINDS, MIX, operation, type Kind } from "./operations.ts";

/** Operations in progress above which no further one is started, so that an outage does not exhaust this machine. */
const MAX_IN_PROGRESS = 4_000;

/** Operations a second of one shop. */
export interface Stream {
  shop: Shop;
  perSecond: number;
  /** ends the stream before the load */
  until?: () => boolean;
}

/** The kinds in a fixed, well mixed order. */
const SEQUENCE: readonly Kind[] = Array.from({ length: 100 }, (_, index) => {
  // 37 has no common divisor with 100, so that every place is used once.
  let rest = (index * 37) % 100;
  return KINDS.find((kind) => (rest -= MIX[kind]) < 0) ?? "read";
});

/** Sends operations at a steady rate, without waiting for earlier responses, as independent shoppers do. */
export class Load {
  readonly #client: Client;
  readonly #ledger: Ledger;
  readonly #addedBefore: ReadonlyMap<Shop, number>;
  readonly #idle = new Map<Shop, Customer[]>();
  readonly #inProgress = new Set<Promise<void>>();
  readonly #streams: Promise<void>[] = [];
  #stopped = false;
  skipped = 0;

  constructor(client: Client, ledger: Ledger, addedBefore: ReadonlyMap<Shop, number>) {
    this.#client = client;
    this.#ledger = ledger;
    this.#addedBefore = addedBefore;
  }

  add(stream: Stream): void {
    this.#streams.push(this.#run(stream));
  }

  async #run({ shop, perSecond, until = () => false }: Stream): Promise<void> {
    const started = performance.now();
    for (let n = 0; !this.#stopped && !until(); n++) {
      await after(Math.max(0, started + (n * 1_000) / perSecond - performance.now()));
      if (this.#inProgress.size < MAX_IN_PROGRESS) this.#begin(shop, SEQUENCE[n % SEQUENCE.length] ?? "read");
      else this.skipped++;
    }
  }

  #begin(shop: Shop, kind: Kind): void {
    const customer = this.#take(shop, kind);
    const done = this.#client.perform(operation(kind, this.#ledger, customer, this.#addedBefore.get(shop) ?? 0));
    const tracked = done.finally(() => {
      this.#inProgress.delete(tracked);
      this.#idle.get(shop)?.push(customer);
    });
    this.#inProgress.add(tracked);
  }

  /** Takes a customer without an operation in progress, because the order of concurrent changes to one list is open. */
  #take(shop: Shop, kind: Kind): Customer {
    let idle = this.#idle.get(shop);
    if (!idle) this.#idle.set(shop, (idle = []));
    const fits = (customer: Customer): boolean =>
      kind === "share"
        ? customer.shared === "no"
        : kind === "remove"
          ? customer.items.size > 0
          : customer.added.length < 150;
    const index = idle.findIndex(fits);
    const [customer] = index < 0 ? [] : idle.splice(index, 1);
    return customer ?? this.#ledger.newCustomer(shop);
  }

  /** Starts no further operations, and waits for those in progress. */
  async stop(limitMs: number): Promise<void> {
    this.#stopped = true;
    this.#client.deadline = performance.now() + limitMs;
    await Promise.all(this.#streams);
    await Promise.all(this.#inProgress);
  }
}
