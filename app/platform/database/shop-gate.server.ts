/** The shop's queue is full, or the work waited too long. The work has not started. */
export class ShopBusyError extends Error {
  override readonly name = "ShopBusyError";
}

interface GateOptions {
  /** work in progress over all shops */
  total: number;
  /** work in progress for one shop */
  perShop: number;
  /** maximum queued work of one shop */
  queue: number;
  /** milliseconds that work may wait */
  wait: number;
  /** called with the milliseconds that work has waited for its slot */
  onWaited?: (ms: number) => void;
  onRefused?: (reason: GateRefusal) => void;
}

/** Why work was refused: its shop's queue was full, or it waited too long. */
export type GateRefusal = "queue_full" | "waited_too_long";

export interface ShopGate {
  <Result>(shopId: number, work: () => Promise<Result>): Promise<Result>;
  /** Returns how much work is in progress and how much waits, over all shops. */
  load: () => { active: number; waiting: number };
}

interface Waiter {
  begin: () => void;
  timer: NodeJS.Timeout;
}

interface ShopWork {
  active: number;
  waiting: Waiter[];
}

/**
 * Limits concurrent work per shop and over all shops. Waiting shops are served round-robin; within a shop, the oldest work starts first.
 * @returns a function that runs work when a slot is free; it rejects with `ShopBusyError` when the shop's queue is full or the wait too long
 */
export function shopGate({ total, perShop, queue, wait, onWaited, onRefused }: GateOptions): ShopGate {
  /** Shops with active or waiting work, in round-robin order: the next shop is first. */
  const shops = new Map<number, ShopWork>();
  let active = 0;

  /** Takes a slot and moves the shop to the end of the round-robin order. */
  function take(shopId: number, shop: ShopWork): void {
    active++;
    shop.active++;
    shops.delete(shopId);
    shops.set(shopId, shop);
  }

  function enter(shopId: number): Promise<void> | undefined {
    const shop = shops.get(shopId) ?? { active: 0, waiting: [] };
    // A free slot means that all waiting shops are at their own limit.
    if (active < total && shop.active < perShop) {
      take(shopId, shop);
      return undefined;
    }
    shops.set(shopId, shop);
    const { waiting } = shop;
    if (waiting.length >= queue) {
      onRefused?.("queue_full");
      throw new ShopBusyError(`shop ${shopId} has ${queue} calls waiting`);
    }
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1);
        removeIfIdle(shopId);
        onRefused?.("waited_too_long");
        reject(new ShopBusyError(`a call of shop ${shopId} waited for ${wait} ms`));
      }, wait);
      const begin = (): void => {
        onWaited?.(performance.now() - since);
        resolve();
      };
      const waiter: Waiter = { begin, timer };
      waiting.push(waiter);
    });
  }

  function removeIfIdle(shopId: number): void {
    const shop = shops.get(shopId);
    if (shop?.active === 0 && shop.waiting.length === 0) shops.delete(shopId);
  }

  function leave(shopId: number): void {
    const left = shops.get(shopId);
    if (left) left.active--;
    active--;
    removeIfIdle(shopId);
    for (const [next, shop] of shops) {
      if (shop.active >= perShop) continue;
      const waiter = shop.waiting.shift();
      if (!waiter) continue;
      clearTimeout(waiter.timer);
      take(next, shop);
      waiter.begin();
      return;
    }
  }

  async function run<Result>(shopId: number, work: () => Promise<Result>): Promise<Result> {
    const slot = enter(shopId);
    // Not awaited when a slot is free, which saves a tick of the event loop.
    if (slot) await slot;
    try {
      return await work();
    } finally {
      leave(shopId);
    }
  }

  function load(): ReturnType<ShopGate["load"]> {
    let waiting = 0;
    for (const shop of shops.values()) waiting += shop.waiting.length;
    return { active, waiting };
  }

  return Object.assign(run, { load });
}
