import { setTimeout as after } from "node:timers/promises";
import type { ServiceProcess } from "../rig/services.ts";

/** Milliseconds between two checks of `/readyz`. */
const INTERVAL = 500;

/** Chooses a web process for each request as a load balancer does: in turn among those that are ready, or among all if none is. */
export class Balancer {
  readonly #webs: readonly ServiceProcess[];
  readonly #ready: boolean[];
  #next = 0;
  #stopped = false;

  constructor(webs: readonly ServiceProcess[]) {
    this.#webs = webs;
    this.#ready = webs.map(() => true);
    for (const index of webs.keys()) void this.#watch(index);
  }

  async #watch(index: number): Promise<void> {
    while (!this.#stopped) {
      this.#ready[index] = (await this.#webs[index]?.isReady()) === true;
      await after(INTERVAL);
    }
  }

  /** @param except the process that has just failed, which is chosen only if there is no other */
  choose(except?: number): number {
    const all = [...this.#webs.keys()];
    const ready = all.filter((index) => this.#ready[index]);
    const candidates = ready.length > 0 ? ready : all;
    const others = candidates.filter((index) => index !== except);
    const from = others.length > 0 ? others : candidates;
    return from[this.#next++ % from.length] ?? 0;
  }

  stop(): void {
    this.#stopped = true;
  }
}
