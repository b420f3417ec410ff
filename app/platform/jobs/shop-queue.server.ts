import { onShutdown } from "../process/lifecycle.server.ts";
import { log } from "../log/log.server.ts";
import { outsideSpans } from "../tracing/context.server.ts";
import { runAs } from "../database/work-class.server.ts";
import { Announcer } from "./announcer.server.ts";

export interface ShopQueueOptions {
  /** what is worked off, for the log and the shutdown: "outbox" */
  name: string;
  /** PostgreSQL's channel on which processes tell each other of shops with work */
  channel: string;
  /** shops at a time, so that one shop's long backlog does not hold up the others */
  concurrency: number;
  /** milliseconds between polls for shops that no process announced, or whose time has come */
  pollMs: number;
  /** milliseconds for which shops gather before their turns begin, so that changes in quick succession share one; by default, none */
  gatherMs?: () => number;
  /** Returns shops with work. */
  find: () => Promise<number[]>;
  /**
   * Works on a shop for one turn.
   * @returns the milliseconds after which its next turn may begin, behind those of the others; undefined when nothing is left
   */
  work: (shopId: number) => Promise<number | undefined>;
}

/** Work of many shops that the processes share. Shops take turns; `work` has to see to it that two processes do not do the same. */
export class ShopQueue {
  readonly #options: ShopQueueOptions;
  readonly #announcer: Announcer;
  /** in the order of their turns */
  readonly #waiting = new Set<number>();
  #isRunning = false;
  #active = 0;
  #gathering: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  /** resolves the shutdown's wait for active work to end */
  #onIdle: (() => void) | undefined;

  constructor(options: ShopQueueOptions) {
    this.#options = options;
    this.#announcer = new Announcer(options.channel);
  }

  /** Starts the work of a shop, here or in another process. To be called after its changes are committed. */
  wake(shopId: number): void {
    if (this.#isRunning) this.#add([shopId]);
    else this.#announcer.announce(shopId);
  }

  #add(shopIds: Iterable<number>): void {
    for (const shopId of shopIds) this.#waiting.add(shopId);
    outsideSpans(() => {
      this.#gather();
    });
  }

  #gather(): void {
    if (!this.#hasTurn() || this.#gathering !== undefined) return;
    const ms = this.#options.gatherMs?.() ?? 0;
    if (ms === 0) this.#begin();
    else {
      this.#gathering = setTimeout(() => {
        this.#gathering = undefined;
        this.#begin();
      }, ms);
    }
  }

  #hasTurn(): boolean {
    return this.#isRunning && this.#active < this.#options.concurrency && this.#waiting.size > 0;
  }

  #begin(): void {
    for (const shopId of this.#waiting) {
      if (!this.#hasTurn()) return;
      this.#waiting.delete(shopId);
      this.#active++;
      void this.#work(shopId).finally(() => {
        this.#active--;
        this.#onIdle?.();
        this.#gather();
      });
    }
  }

  async #work(shopId: number): Promise<void> {
    try {
      const continueMs = await this.#options.work(shopId);
      if (continueMs === 0) this.#waiting.add(shopId);
      else if (continueMs !== undefined) setTimeout(() => this.#add([shopId]), continueMs).unref();
    } catch (error) {
      log.warn({ err: error, shopId }, `the ${this.#options.name} of a shop could not be processed; it is tried again`);
    }
  }

  async #poll(): Promise<void> {
    try {
      this.#add(await runAs("background", this.#options.find));
    } catch (error) {
      log.warn({ err: error }, `can't poll for the ${this.#options.name} of shops; it is tried again`);
    }
  }

  /** Works off the queues of all shops in the background until the process shuts down. To be called before `startListening`. */
  start(): void {
    const { name, pollMs } = this.#options;
    this.#isRunning = true;
    this.#announcer.listen((messages) => {
      this.#add(messages.map(Number));
    });
    const timer = setInterval(() => {
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = undefined;
      });
    }, pollMs);
    onShutdown(name, async () => {
      this.#isRunning = false;
      clearInterval(timer);
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
      await this.#polling;
      while (this.#active > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    });
  }
}
