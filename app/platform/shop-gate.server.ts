/** More of a shop's work is waiting than the gate holds, or it has waited too long. Nothing of it has begun. */
export class ShopBusyError extends Error {
  override readonly name = "ShopBusyError";
}

interface GateOptions {
  /** work in progress over all shops */
  total: number;
  /** work in progress for one shop */
  perShop: number;
  /** work of one shop that may wait */
  queue: number;
  /** milliseconds that work may wait */
  wait: number;
}

export type ShopGate = <Result>(shopId: number, work: () => Promise<Result>) => Promise<Result>;

interface Waiter {
  begin: () => void;
  timer: NodeJS.Timeout;
}

interface ShopWork {
  active: number;
  waiting: Waiter[];
}

/**
 * Bounds the work in progress per shop and over all shops. Shops whose work waits take turns; within a shop the oldest begins first.
 * @returns runs work as soon as there is room for it; rejects with `ShopBusyError` when the shop's queue is full or the wait too long
 */
export function shopGate({ total, perShop, queue, wait }: GateOptions): ShopGate {
  /** Shops with work in progress or waiting; the shop whose turn comes next stands first. */
  const shops = new Map<number, ShopWork>();
  let active = 0;

  /** Takes a place; the shop's next turn comes after the others'. */
  function take(shopId: number, shop: ShopWork): void {
    active++;
    shop.active++;
    shops.delete(shopId);
    shops.set(shopId, shop);
  }

  function enter(shopId: number): Promise<void> | undefined {
    const shop = shops.get(shopId) ?? { active: 0, waiting: [] };
    // Shops that wait although there is room are at their own limit.
    if (active < total && shop.active < perShop) {
      take(shopId, shop);
      return undefined;
    }
    shops.set(shopId, shop);
    const { waiting } = shop;
    if (waiting.length >= queue) throw new ShopBusyError(`shop ${shopId} has ${queue} calls waiting`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1);
        removeIfIdle(shopId);
        reject(new ShopBusyError(`a call of shop ${shopId} waited for ${wait} ms`));
      }, wait);
      const waiter: Waiter = { begin: resolve, timer };
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

  return async (shopId, work) => {
    const turn = enter(shopId);
    // With room there is nothing to wait for, not even a turn of the event loop.
    if (turn) await turn;
    try {
      return await work();
    } finally {
      leave(shopId);
    }
  };
}
